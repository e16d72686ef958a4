package social.feed.table.kernel.page;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A place inside a stretch of a list, newest first: {@code first|last|name|name…}. No sort key and
 * no name has the stroke.
 *
 * @param first position of the stretch's first item; what is added above is of no page that follows
 * @param last position of its last one, whether they are still there or not
 * @param shown what pages before this place have shown of it
 */
record GroupCursor(String first, String last, List<String> shown) {
  private static final String BETWEEN = "|";

  /** Behind all keys that begin with a position, and before it in a list. */
  private static final String BEFORE = "~";

  GroupCursor {
    shown = List.copyOf(shown);
  }

  /** Absent where a position is between stretches. */
  static @Nullable GroupCursor parse(@Nullable String position) {
    if (position == null || !position.contains(BETWEEN)) {
      return null;
    }
    var parts = List.of(position.split("\\|"));
    return new GroupCursor(parts.getFirst(), parts.get(1), parts.subList(2, parts.size()));
  }

  GroupCursor showing(String name) {
    return new GroupCursor(first, last, Stream.concat(shown.stream(), Stream.of(name)).toList());
  }

  /** A position after which the stretch begins. */
  String before() {
    return first + BEFORE;
  }

  String text() {
    return String.join(BETWEEN, first, last, String.join(BETWEEN, shown));
  }
}
