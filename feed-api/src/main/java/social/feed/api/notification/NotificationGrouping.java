package social.feed.api.notification;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import social.feed.table.kernel.page.GroupedPager;
import social.feed.table.row.NotificationType;

/**
 * Groups notifications about the same action by several accounts within a day, also with other
 * notifications in between. The list alone determines the groups. So a revoked action leaves its
 * group at once, and no stored count can be wrong.
 */
final class NotificationGrouping implements GroupedPager.Rule<StoredNotification> {
  /** Maximum size of a group; further notifications begin the next group. */
  static final int SIZE_MAX = 50;

  /** Maximum number of interleaved groups. A position inside a stretch names the groups shown. */
  private static final int GROUPS_MAX = 8;

  /** Bounds the items that are read again where a page ends inside a stretch. */
  private static final int STRETCH_MAX = 100;

  private static final Duration SPAN = Duration.ofDays(1);

  /** Kind and post; a mention and a new post form no groups. */
  @Override
  public String name(StoredNotification notification) {
    var subject = isShared(notification.type()) ? notification.postId() : notification.id();
    return notification.type() + Objects.requireNonNullElse(subject, "");
  }

  private static boolean isShared(NotificationType type) {
    return switch (type) {
      case FOLLOW, LIKE, COMMENT -> true;
      case MENTION, POST -> false;
    };
  }

  @Override
  public boolean continuesWith(
      SequencedMap<String, List<StoredNotification>> stretch, StoredNotification next) {
    StoredNotification newest = stretch.firstEntry().getValue().getFirst();
    return !next.createdAt().isBefore(newest.createdAt().minus(SPAN))
        && stretch.values().stream().mapToInt(List::size).sum() < STRETCH_MAX
        && joins(stretch.getOrDefault(name(next), List.of()), next, stretch.size());
  }

  private static boolean joins(
      List<StoredNotification> group, StoredNotification next, int groups) {
    return group.isEmpty()
        ? groups < GROUPS_MAX
        : group.size() < SIZE_MAX
            && group.getFirst().read() == next.read()
            && group.stream()
                .noneMatch(notification -> notification.actorId().equals(next.actorId()));
  }
}
