package social.feed.search;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A search of posts. No text of words is an error; it has no operators but quotation marks.
 *
 * @param words all of them must occur, and those in quotation marks next to each other; blank
 *     matches every post. At most {@link SearchIndex#MAX_WORDS} UTF-16 units; with more than {@link
 *     SearchIndex#MAX_TERMS} terms they find nothing
 * @param authorId the only author, or null for all
 * @param tag a tag that the posts have, exactly as stored, or null
 * @param since the earliest time, inclusive, or null; between two milliseconds, the later one
 * @param until the latest time, exclusive, or null; between two milliseconds, the later one
 */
public record PostQuery(
    String words,
    @Nullable String authorId,
    @Nullable String tag,
    @Nullable Instant since,
    @Nullable Instant until) {
  /**
   * Checks the length, and rounds the times up to milliseconds, the precision of an index.
   *
   * @throws IllegalArgumentException if the words are too long
   */
  public PostQuery {
    SearchIndex.checkWords(words);
    since = roundedUp(since);
    until = roundedUp(until);
  }

  /** A search of words alone. */
  public static PostQuery of(String words) {
    return new PostQuery(words, null, null, null, null);
  }

  private static @Nullable Instant roundedUp(@Nullable Instant time) {
    if (time == null) {
      return null;
    }
    Instant milli = time.truncatedTo(ChronoUnit.MILLIS);
    return milli.equals(time) ? time : milli.plusMillis(1);
  }
}
