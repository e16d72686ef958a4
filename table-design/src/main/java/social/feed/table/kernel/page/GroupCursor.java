package social.feed.table.kernel.page;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A position inside a stretch of a list, newest first: {@code first|last|name|name…}. No sort key
 * and no name contains the separator.
 *
 * @param first position of the stretch's first item; an item added above it belongs to no later
 *     page
 * @param last position of the stretch's last item, whether these two items still exist or not
 * @param shown names of the stretch's groups that earlier pages showed
 */
record GroupCursor(String first, String last, List<String> shown) {
  private static final String SEPARATOR = "|";

  /** Sorts after every key that begins with a position, and so before that position in the list. */
  private static final String BEFORE = "~";

  GroupCursor {
    shown = List.copyOf(shown);
  }

  /** Returns the cursor of a position, absent for a position between two stretches. */
  static @Nullable GroupCursor parse(@Nullable String position) {
    if (position == null || !position.contains(SEPARATOR)) {
      return null;
    }
    var parts = List.of(position.split("\\|"));
    return new GroupCursor(parts.getFirst(), parts.get(1), parts.subList(2, parts.size()));
  }

  GroupCursor showing(String name) {
    return new GroupCursor(first, last, Stream.concat(shown.stream(), Stream.of(name)).toList());
  }

  /** Returns the position after which the stretch begins. */
  String before() {
    return first + BEFORE;
  }

  String text() {
    return String.join(SEPARATOR, first, last, String.join(SEPARATOR, shown));
  }
}
