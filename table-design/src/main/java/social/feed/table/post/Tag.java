package social.feed.table.post;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The one spelling of a tag: NFKC, lower case, alphabetic characters, digits and {@code _}, 1 to 64
 * characters.
 */
public final class Tag {
  private static final Pattern ALLOWED = Pattern.compile("[\\p{L}\\p{M}\\p{Nd}_]{1,64}");

  private Tag() {}

  /** Returns the normalized tag without {@code #}, empty when the text is no tag. */
  public static Optional<String> normalize(String text) {
    var tag = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    var again = Normalizer.normalize(tag, Normalizer.Form.NFKC);
    return ALLOWED.matcher(again).matches() ? Optional.of(again) : Optional.empty();
  }
}
