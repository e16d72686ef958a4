package social.feed.api.edge.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import social.feed.table.post.PostText;

/**
 * The rules for the texts that a user writes. The length counts Unicode code points of the text as
 * it was sent. Nothing is trimmed, so the stored text is the written text. A text without a visible
 * character counts as empty. Control characters are refused, except the line feed in texts of
 * several lines. Halves of surrogate pairs are refused too, since UTF-8 cannot encode them.
 */
public enum TextRule {
  POST(TextRule.MIN, TextRule.POST_MAX, true) {
    /** Parsing needs a text of bounded length. */
    @Override
    public List<String> errors(String text) {
      List<String> errors = super.errors(text);
      return errors.isEmpty() ? references(text) : errors;
    }
  },
  COMMENT(TextRule.MIN, TextRule.COMMENT_MAX, true),
  DISPLAY_NAME(TextRule.MIN, TextRule.DISPLAY_NAME_MAX, false),
  BIO(0, TextRule.BIO_MAX, true),
  MEDIA_REF(TextRule.MIN, TextRule.MEDIA_REF_MAX, false),
  ALT(0, TextRule.ALT_MAX, true),
  WEBHOOK(0, TextRule.WEBHOOK_MAX, true),
  HANDLE(TextRule.HANDLE_MIN, TextRule.HANDLE_MAX, false) {
    @Override
    public List<String> errors(String text) {
      return isHandle(text) ? List.of() : List.of("must match " + HANDLE_PATTERN);
    }
  };

  /** The smallest number of code points where a text must not be empty. */
  public static final int MIN = 1;

  /** The largest numbers of code points. Annotations of documents need them as constants. */
  public static final int POST_MAX = 500;

  public static final int COMMENT_MAX = 500;
  public static final int DISPLAY_NAME_MAX = 50;
  public static final int BIO_MAX = 160;
  public static final int MEDIA_REF_MAX = 512;
  public static final int ALT_MAX = 1000;
  public static final int WEBHOOK_MAX = 500;
  private static final int HANDLE_MIN = 3;
  private static final int HANDLE_MAX = 30;

  /**
   * A visible character: no control character, no white space, and none that renderers ignore
   * according to Unicode ({@code Default_Ignorable_Code_Point}). Ignorable characters beyond the
   * basic plane, such as the tags in flags, count as visible, since the syntax of patterns for them
   * differs between languages.
   */
  private static final String VISIBLE =
      "[^\\x00-\\x20\\x7f-\\xa0\\xad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f"
          + "\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0"
          + "\\ufff0-\\ufff8]";

  private static final String IN_LINE = "[^\\x00-\\x1f\\x7f-\\x9f]*";
  private static final String IN_LINES = "[^\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f]*";

  /**
   * The pattern in documents of one line with a visible character. Halves of surrogate pairs, which
   * JSON can escape, match it and are refused.
   */
  public static final String LINE = "^" + IN_LINE + VISIBLE + IN_LINE + "$";

  /** The pattern in documents of several lines with a visible character. */
  public static final String LINES = "^" + IN_LINES + VISIBLE + IN_LINES + "$";

  /** The pattern in documents of several lines or an empty text. */
  public static final String LINES_OR_NOTHING = "^" + IN_LINES + "$";

  /** The pattern of a handle. */
  public static final String HANDLE_PATTERN =
      "^[A-Za-z0-9_]{" + HANDLE_MIN + "," + HANDLE_MAX + "}$";

  private static final Pattern VISIBLE_CHARACTER = Pattern.compile(VISIBLE);
  private static final Pattern HANDLE_WHOLE = Pattern.compile(HANDLE_PATTERN);

  /** The maximum number of tags in a post, and of accounts. */
  private static final int REFERENCES_MAX = 10;

  private final int min;
  private final int max;
  private final boolean lines;

  /**
   * @param min the minimum number of code points; from 1 on, one of them must be visible
   * @param max the maximum number of code points
   * @param lines whether several lines are allowed
   */
  TextRule(int min, int max, boolean lines) {
    this.min = min;
    this.max = max;
    this.lines = lines;
  }

  /** Returns whether a text is a handle. */
  public static boolean isHandle(String text) {
    return HANDLE_WHOLE.matcher(text).matches();
  }

  /** Returns the errors of a text, in words that follow the name of the field. */
  public List<String> errors(String text) {
    if (min > 0 && !VISIBLE_CHARACTER.matcher(text).find()) {
      return List.of("is empty");
    }
    if (text.codePointCount(0, text.length()) > max) {
      return List.of("has more than " + max + " characters");
    }
    return text.codePoints().allMatch(this::isAllowed)
        ? List.of()
        : List.of("has a character that is not allowed");
  }

  private static List<String> references(String text) {
    List<String> errors = new ArrayList<>();
    if (PostText.tags(text).size() > REFERENCES_MAX) {
      errors.add("names more than " + REFERENCES_MAX + " tags");
    }
    if (PostText.handles(text).size() > REFERENCES_MAX) {
      errors.add("names more than " + REFERENCES_MAX + " accounts");
    }
    return errors;
  }

  private boolean isAllowed(int c) {
    if (c == '\n') {
      return lines;
    }
    return !Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE;
  }
}
