package social.feed.table.home;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.FeedRef;

/**
 * A place in a feed of two parts. It says itself how the parts are told apart, so that this stays
 * what it was on the first page.
 *
 * @param since of each author whose posts come first, from when on
 * @param isRest whether it is in the part of all others
 * @param after position in that part, absent at its beginning
 */
record SpecialFirstCursor(Map<String, Instant> since, boolean isRest, @Nullable String after) {
  /** No key part holds it. */
  private static final String SEPARATOR = "#";

  private static final String FIRST = "1";
  private static final String REST = "2";
  private static final int RADIX = 36;

  /** Part, number of authors and position stand around the authors. */
  private static final int FIELDS = 3;

  /** Before everything. Where nobody's posts come first, all are the rest. */
  static SpecialFirstCursor begin(Map<String, Instant> since) {
    return new SpecialFirstCursor(since, since.isEmpty(), null);
  }

  SpecialFirstCursor at(String position) {
    return new SpecialFirstCursor(since, isRest, position);
  }

  SpecialFirstCursor rest() {
    return new SpecialFirstCursor(since, true, null);
  }

  /** Whether a post has its place in the same part. */
  boolean isBeside(FeedRef ref) {
    var from = since.get(ref.authorId());
    boolean isFirst = from != null && !ref.createdAt().isBefore(from);
    return isFirst != isRest;
  }

  /** As text: part, number of authors, each with its time, and the position. */
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

  /** The inverse of {@link #text}. */
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
