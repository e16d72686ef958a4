package social.feed.api.notification;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import social.feed.table.kernel.page.GroupedPager;
import social.feed.table.row.NotificationType;

/**
 * What of a list is told as one: what several people did alike within a day, also where other
 * things happened in between. It is decided by the list alone, so whoever takes something back is
 * gone from a group at once, and no number is kept that could be wrong.
 */
final class NotificationGrouping implements GroupedPager.Rule<StoredNotification> {
  /** Whoever did it beyond these is told in the next group. */
  static final int MOST = 50;

  /** So many things may happen in turns. A position inside a stretch names those it has shown. */
  private static final int GROUPS = 8;

  /** Bounds what is read again where a page ends inside a stretch. */
  private static final int NOTICES = 100;

  private static final Duration SPAN = Duration.ofDays(1);

  /** Kind and post; what one person tells is told alone. */
  @Override
  public String name(StoredNotification notice) {
    var about = isShared(notice.type()) ? notice.postId() : notice.id();
    return notice.type() + Objects.requireNonNullElse(about, "");
  }

  private static boolean isShared(NotificationType type) {
    return switch (type) {
      case FOLLOW, LIKE, COMMENT -> true;
      case MENTION, POST -> false;
    };
  }

  @Override
  public boolean goesOn(
      SequencedMap<String, List<StoredNotification>> stretch, StoredNotification next) {
    StoredNotification newest = stretch.firstEntry().getValue().getFirst();
    return !next.createdAt().isBefore(newest.createdAt().minus(SPAN))
        && stretch.values().stream().mapToInt(List::size).sum() < NOTICES
        && joins(stretch.getOrDefault(name(next), List.of()), next, stretch.size());
  }

  private static boolean joins(
      List<StoredNotification> group, StoredNotification next, int groups) {
    return group.isEmpty()
        ? groups < GROUPS
        : group.size() < MOST
            && group.getFirst().read() == next.read()
            && group.stream().noneMatch(notice -> notice.actorId().equals(next.actorId()));
  }
}
