package social.feed.api.notification;

import java.util.List;
import java.util.Optional;
import social.feed.table.kernel.id.TimeOrderedId;

/**
 * The id of a group: its newest and its oldest notification, or the single one. So the id keeps its
 * meaning when others join or leave the group after it was read.
 */
record GroupId(String newest, String oldest) {
  private static final String BETWEEN = "-";

  static GroupId of(List<StoredNotification> group) {
    return new GroupId(group.getFirst().id(), group.getLast().id());
  }

  /** Parses an id; empty for text that is not an id. */
  static Optional<GroupId> parse(String text) {
    String[] ends = text.split(BETWEEN, -1);
    if (ends.length > 2 || !TimeOrderedId.isValid(ends[0])) {
      return Optional.empty();
    }
    String oldest = ends[ends.length - 1];
    return TimeOrderedId.isValid(oldest)
        ? Optional.of(new GroupId(ends[0], oldest))
        : Optional.empty();
  }

  boolean isOne() {
    return newest.equals(oldest);
  }

  @Override
  public String toString() {
    return isOne() ? newest : newest + BETWEEN + oldest;
  }
}
