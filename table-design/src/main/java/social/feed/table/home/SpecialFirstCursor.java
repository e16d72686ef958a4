package social.feed.table.home;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.FeedRef;

/**
 * A position in a feed of two parts. It contains the criteria that divide the parts, so the
 * division stays that of the first page.
 *
 * @param since the start time of each author whose posts come first
 * @param gaps the gap of each of these authors who has one
 * @param isRest whether the position is in the second part
 * @param after the position in the part; absent at its start
 */
record SpecialFirstCursor(
    Map<String, Instant> since, Map<String, FeedGap> gaps, boolean isRest, @Nullable String after) {
  /** A character that no key part contains. */
  private static final String SEPARATOR = "#";

  /** Separates the times of an author. */
  private static final String DOT = ".";

  private static final String FIRST = "1";
  private static final String REST = "2";
  private static final int RADIX = 36;

  /** The fields other than authors: part, number of authors, and position. */
  private static final int FIELDS = 3;

  /** Returns the start of a feed. If no author's posts come first, the first part is empty. */
  static SpecialFirstCursor begin(Map<String, Instant> since, Map<String, FeedGap> gaps) {
    return new SpecialFirstCursor(since, gaps, since.isEmpty(), null);
  }

  SpecialFirstCursor at(String position) {
    return new SpecialFirstCursor(since, gaps, isRest, position);
  }

  SpecialFirstCursor rest() {
    return new SpecialFirstCursor(since, gaps, true, null);
  }

  /** Returns whether a post belongs in the part of this position. */
  boolean isInSamePart(FeedRef ref) {
    var from = since.get(ref.authorId());
    var gap = gaps.get(ref.authorId());
    boolean isFirst =
        from != null
            && !ref.createdAt().isBefore(from)
            && (gap == null || !gap.contains(ref.createdAt()));
    return isFirst != isRest;
  }

  /**
   * Returns the position as text: part, number of authors, each author with a time and the two
   * times of its gap, and the position in the part.
   */
  String text() {
    var text = new StringBuilder(isRest ? REST : FIRST).append(SEPARATOR).append(since.size());
    since.forEach(
        (author, from) ->
            text.append(SEPARATOR)
                .append(author)
                .append(SEPARATOR)
                .append(times(from, gaps.get(author))));
    return text.append(SEPARATOR).append(after == null ? "" : after).toString();
  }

  private static String times(Instant from, @Nullable FeedGap gap) {
    return gap == null
        ? time(from)
        : String.join(DOT, time(from), time(gap.after()), time(gap.before()));
  }

  private static String time(Instant time) {
    return Long.toString(time.toEpochMilli(), RADIX);
  }

  /** Parses the result of {@link #text}. */
  static SpecialFirstCursor of(String text) {
    int authors = Integer.parseInt(text.split(SEPARATOR, FIELDS)[1]);
    var fields = text.split(SEPARATOR, FIELDS + 2 * authors);
    var since = new LinkedHashMap<String, Instant>();
    var gaps = new LinkedHashMap<String, FeedGap>();
    for (int field = 2; field < fields.length - 1; field += 2) {
      var times =
          Stream.of(fields[field + 1].split(Pattern.quote(DOT), -1))
              .map(time -> Instant.ofEpochMilli(Long.parseLong(time, RADIX)))
              .toList();
      since.put(fields[field], times.getFirst());
      if (times.size() > 1) {
        gaps.put(fields[field], new FeedGap(times.get(1), times.get(2)));
      }
    }
    var after = fields[fields.length - 1];
    return new SpecialFirstCursor(
        since, gaps, fields[0].equals(REST), after.isEmpty() ? null : after);
  }
}
