package social.feed.table.home;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.FeedRef;

/**
 * A position in a feed of two parts. It contains the criteria that divide the parts, so the
 * division stays that of the first page.
 *
 * @param since the start time of each author whose posts come first
 * @param isRest whether the position is in the second part
 * @param after the position in the part; absent at its start
 */
record SpecialFirstCursor(Map<String, Instant> since, boolean isRest, @Nullable String after) {
  /** A character that no key part contains. */
  private static final String SEPARATOR = "#";

  private static final String FIRST = "1";
  private static final String REST = "2";
  private static final int RADIX = 36;

  /** The fields other than authors: part, number of authors, and position. */
  private static final int FIELDS = 3;

  /** Returns the start of a feed. If no author's posts come first, the first part is empty. */
  static SpecialFirstCursor begin(Map<String, Instant> since) {
    return new SpecialFirstCursor(since, since.isEmpty(), null);
  }

  SpecialFirstCursor at(String position) {
    return new SpecialFirstCursor(since, isRest, position);
  }

  SpecialFirstCursor rest() {
    return new SpecialFirstCursor(since, true, null);
  }

  /** Returns whether a post belongs in the part of this position. */
  boolean isInSamePart(FeedRef ref) {
    var from = since.get(ref.authorId());
    boolean isFirst = from != null && !ref.createdAt().isBefore(from);
    return isFirst != isRest;
  }

  /**
   * Returns the position as text: part, number of authors, each author with a time, and the
   * position in the part.
   */
  String text() {
    var text = new StringBuilder(isRest ? REST : FIRST).append(SEPARATOR).append(since.size());
    since.forEach(
        (author, from) ->
            text.append(SEPARATOR)
                .append(author)
                .append(SEPARATOR)
                .append(Long.toString(from.toEpochMilli(), RADIX)));
    return text.append(SEPARATOR).append(after == null ? "" : after).toString();
  }

  /** Parses the result of {@link #text}. */
  static SpecialFirstCursor of(String text) {
    int authors = Integer.parseInt(text.split(SEPARATOR, FIELDS)[1]);
    var fields = text.split(SEPARATOR, FIELDS + 2 * authors);
    var since = new LinkedHashMap<String, Instant>();
    for (int field = 2; field < fields.length - 1; field += 2) {
      since.put(fields[field], Instant.ofEpochMilli(Long.parseLong(fields[field + 1], RADIX)));
    }
    var after = fields[fields.length - 1];
    return new SpecialFirstCursor(since, fields[0].equals(REST), after.isEmpty() ? null : after);
  }
}
