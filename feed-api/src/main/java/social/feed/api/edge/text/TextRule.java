package social.feed.api.edge.text;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a text must be like. Length counts Unicode code points of the text as it was sent: nothing
 * is trimmed, so that what is stored is what was written; a text in which nothing shows counts as
 * empty, but see {@link #LINE}. Control characters are refused but for the line feed in texts of
 * several lines, and so are halves of surrogate pairs, which no UTF-8 can carry.
 *
 * @param min least code points; from 1 on, one of them must be visible
 * @param max most code points
 * @param lines whether there may be several lines
 */
public record TextRule(int min, int max, boolean lines) {
  public static final TextRule POST = new TextRule(1, 500, true);
  public static final TextRule COMMENT = new TextRule(1, 500, true);
  public static final TextRule DISPLAY_NAME = new TextRule(1, 50, false);
  public static final TextRule BIO = new TextRule(0, 160, true);
  public static final TextRule MEDIA_REF = new TextRule(1, 512, false);

  /**
   * A character that shows: no control character, no white space, and none that Unicode tells
   * renderers to ignore ({@code Default_Ignorable_Code_Point}). Those beyond the basic plane, such
   * as the tags in flags, count as visible, since patterns name them in other ways in each
   * language.
   */
  private static final String VISIBLE =
      "[^\\x00-\\x20\\x7f-\\xa0\\xad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f"
          + "\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0"
          + "\\ufff0-\\ufff8]";

  private static final String IN_LINE = "[^\\x00-\\x1f\\x7f-\\x9f]*";
  private static final String IN_LINES = "[^\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f]*";

  /**
   * For documents: one line with something visible in it. Halves of surrogate pairs, which can be
   * escaped in JSON, fit it and are refused.
   */
  public static final String LINE = "^" + IN_LINE + VISIBLE + IN_LINE + "$";

  /** For documents: several lines with something visible in them. */
  public static final String LINES = "^" + IN_LINES + VISIBLE + IN_LINES + "$";

  /** For documents: several lines, or none. */
  public static final String LINES_OR_NOTHING = "^" + IN_LINES + "$";

  /** The form of a handle. */
  public static final String HANDLE = "^[A-Za-z0-9_]{3,30}$";

  private static final Pattern SOMETHING_VISIBLE = Pattern.compile(VISIBLE);
  private static final Pattern HANDLE_WHOLE = Pattern.compile(HANDLE);

  /** Whether a text is a handle. */
  public static boolean isHandle(String text) {
    return HANDLE_WHOLE.matcher(text).matches();
  }

  /** What is wrong with a text, to be read after the name of the field. */
  Optional<String> broken(String text) {
    if (min > 0 && !SOMETHING_VISIBLE.matcher(text).find()) {
      return Optional.of("is empty");
    }
    if (text.codePointCount(0, text.length()) > max) {
      return Optional.of("has more than " + max + " characters");
    }
    return text.codePoints().allMatch(this::isAllowed)
        ? Optional.empty()
        : Optional.of("has a character that is not allowed");
  }

  private boolean isAllowed(int c) {
    if (c == '\n') {
      return lines;
    }
    return !Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE;
  }
}
