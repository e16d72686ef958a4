package social.feed.api.notification;

import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.NotificationType;
import social.feed.table.row.UnreadRef;

/**
 * The id of a group: its newest and its oldest notification and a hash of what they have in common,
 * or a single notification. So the id keeps its meaning when others join or leave the group after
 * it was read, its ends included.
 *
 * @param about the hash of type and post; empty for a single one
 */
record GroupId(String newest, String oldest, String about) {
  private static final String BETWEEN = "-";
  private static final int PARTS = 3;

  static GroupId of(List<StoredNotification> group) {
    var first = group.getFirst();
    return group.size() == 1
        ? new GroupId(first.id(), first.id(), "")
        : new GroupId(first.id(), group.getLast().id(), about(first.type(), first.postId()));
  }

  /** Parses an id; empty for text that is not an id. */
  static Optional<GroupId> parse(String text) {
    String[] parts = text.split(BETWEEN, -1);
    return switch (parts.length) {
      case 1 -> Optional.of(new GroupId(parts[0], parts[0], "")).filter(GroupId::isValid);
      case PARTS ->
          Optional.of(new GroupId(parts[0], parts[1], parts[2]))
              .filter(group -> group.isValid() && !group.isOne());
      default -> Optional.empty();
    };
  }

  private boolean isValid() {
    return TimeOrderedId.isValid(newest) && TimeOrderedId.isValid(oldest);
  }

  boolean isOne() {
    return about.isEmpty();
  }

  /** Returns whether a notification between the two belongs to the group. */
  boolean contains(UnreadRef ref) {
    return about.equals(about(ref.type(), ref.postId()));
  }

  /** Two groups with one hash share only what lies between their ends, which one caller reads. */
  private static String about(NotificationType type, @Nullable String postId) {
    return HexFormat.of().toHexDigits((type.name() + BETWEEN + postId).hashCode());
  }

  @Override
  public String toString() {
    return isOne() ? newest : String.join(BETWEEN, newest, oldest, about);
  }
}
