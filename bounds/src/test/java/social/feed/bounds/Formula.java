package social.feed.bounds;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a cost grows with a number {@code n}: sums and products of numbers and {@code n}, with {@code
 * min} and {@code max} of two terms. Examples: {@code 2*n}, {@code n/50}, {@code min(n, 500)*2}.
 *
 * @param text the formula; {@code -} for a cost that does not grow
 */
record Formula(String text) {
  private static final Pattern TOKEN = Pattern.compile("\\s*([0-9.]+|n|min|max|[-+*/(),])");

  /** Returns whether the cost grows at all. */
  boolean grows() {
    return !text.equals("-");
  }

  /** Returns the growth between two numbers. */
  double between(int small, int large) {
    return grows() ? at(large) - at(small) : 0;
  }

  private double at(int n) {
    var parser = new Parser(text, n);
    double value = parser.sum();
    if (!parser.token.isEmpty()) {
      throw new IllegalArgumentException("Cannot read '" + parser.token + "' in " + text);
    }
    return value;
  }

  /** A parser that computes while it reads. */
  private static final class Parser {
    private final Matcher tokens;
    private final String text;
    private final int n;
    private int end;
    private String token = "";

    Parser(String text, int n) {
      this.tokens = TOKEN.matcher(text);
      this.text = text;
      this.n = n;
      next();
    }

    private void next() {
      if (end == text.length()) {
        token = "";
      } else if (tokens.find(end) && tokens.start() == end) {
        token = tokens.group(1);
        end = tokens.end();
      } else {
        throw new IllegalArgumentException("Cannot read the formula " + text);
      }
    }

    private boolean took(String expected) {
      if (!token.equals(expected)) {
        return false;
      }
      next();
      return true;
    }

    private void take(String expected) {
      if (!took(expected)) {
        throw new IllegalArgumentException("Expected '" + expected + "' in " + text);
      }
    }

    double sum() {
      double value = product();
      while (true) {
        if (took("+")) {
          value += product();
        } else if (took("-")) {
          value -= product();
        } else {
          return value;
        }
      }
    }

    private double product() {
      double value = factor();
      while (true) {
        if (took("*")) {
          value *= factor();
        } else if (took("/")) {
          value /= factor();
        } else {
          return value;
        }
      }
    }

    private double factor() {
      if (took("n")) {
        return n;
      }
      if (took("(")) {
        double value = sum();
        take(")");
        return value;
      }
      boolean isMin = token.equals("min");
      if (isMin || token.equals("max")) {
        next();
        take("(");
        double first = sum();
        take(",");
        double second = sum();
        take(")");
        return isMin ? Math.min(first, second) : Math.max(first, second);
      }
      double value = Double.parseDouble(token);
      next();
      return value;
    }
  }
}
