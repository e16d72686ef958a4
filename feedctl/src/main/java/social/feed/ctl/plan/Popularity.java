package social.feed.ctl.plan;

import java.util.function.DoubleUnaryOperator;

/**
 * How many followers accounts have: a power law with a density of {@code x^-exponent} between a
 * least and a greatest number of followers. The least number follows from the mean.
 *
 * @param exponent above 2
 * @param least the followers of the least followed account
 * @param greatest the followers of the most followed account
 */
record Popularity(double exponent, double least, double greatest) {
  /** Steps of a numeric integral; the sizes grow by the same factor in each. */
  private static final int STEPS = 4_000;

  private static final int BISECTIONS = 200;

  /**
   * Returns the distribution with a mean.
   *
   * @param mean at most {@code greatest}; where they are equal, all accounts have that many
   */
  static Popularity withMean(double exponent, double mean, double greatest) {
    if (mean >= greatest) {
      return new Popularity(exponent, greatest, greatest);
    }
    double low = 1e-6;
    double high = greatest;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = Math.sqrt(low * high);
      if (new Popularity(exponent, middle, greatest).mean() < mean) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return new Popularity(exponent, Math.sqrt(low * high), greatest);
  }

  /** Returns the average number of followers. */
  double mean() {
    return average(x -> x, 0, Double.POSITIVE_INFINITY);
  }

  /** Returns the share of the accounts that have at least some number of followers. */
  double accountsFrom(double followers) {
    return average(_ -> 1, followers, Double.POSITIVE_INFINITY);
  }

  /** Returns the follows of accounts with at least some number of followers, for each account. */
  double followsFrom(double followers) {
    return average(x -> x, followers, Double.POSITIVE_INFINITY);
  }

  /**
   * Returns the sum of a function of the number of followers over the accounts from one number to
   * below another, divided by the number of all accounts.
   */
  double average(DoubleUnaryOperator function, double from, double below) {
    if (isUniform()) {
      return from <= greatest && greatest < below ? function.applyAsDouble(greatest) : 0;
    }
    double start = Math.max(from, least);
    double end = Math.min(below, greatest);
    if (start >= end) {
      return 0;
    }
    double factor = Math.pow(end / start, 1.0 / STEPS);
    double all = weight(least, greatest);
    double sum = 0;
    double low = start;
    for (int i = 0; i < STEPS; i++) {
      double high = low * factor;
      sum += weight(low, high) * function.applyAsDouble(Math.sqrt(low * high));
      low = high;
    }
    return sum / all;
  }

  private boolean isUniform() {
    return least >= greatest;
  }

  private double weight(double from, double to) {
    return Math.pow(from, 1 - exponent) - Math.pow(to, 1 - exponent);
  }
}
