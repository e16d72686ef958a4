package social.feed.table.post;

import java.text.Normalizer;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Extracts {@code #tags} and {@code @handles} from a post's text. */
public final class PostText {
  private static final Pattern TAG =
      Pattern.compile("(?<![\\p{L}\\p{M}\\p{Nd}_#&])#([\\p{L}\\p{M}\\p{Nd}_]+)");

  /** Next to alphabetic characters of any script it is part of a mail address or of a word. */
  private static final Pattern HANDLE =
      Pattern.compile(
          "(?<![\\p{L}\\p{M}\\p{Nd}_@])@([A-Za-z0-9_]{3,30})(?![\\p{L}\\p{M}\\p{Nd}_])");

  private PostText() {}

  /** Returns the normalized tags in the order of the text, each once, without over-long ones. */
  public static List<String> tags(String text) {
    return TAG.matcher(Normalizer.normalize(text, Normalizer.Form.NFKC))
        .results()
        .map(match -> Tag.normalize(match.group(1)))
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  /** Returns the handles in the order and case of the text, each once whatever its case. */
  public static List<String> handles(String text) {
    var seen = new java.util.TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    return HANDLE.matcher(text).results().map(PostText::word).filter(seen::add).toList();
  }

  private static String word(MatchResult match) {
    return match.group(1);
  }
}
