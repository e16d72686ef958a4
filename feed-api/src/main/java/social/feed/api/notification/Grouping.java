package social.feed.api.notification;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import social.feed.table.row.NotificationType;

/**
 * Which neighbours of a list are told as one: what several people did alike within a day. It is
 * decided by the list alone, so whoever takes something back is gone from a group at once, and no
 * number is kept that could be wrong.
 */
final class Grouping {
  /** Bounds what a page reads. Who did it beyond these is told in the next group. */
  static final int MOST = 50;

  private static final Duration SPAN = Duration.ofDays(1);

  private Grouping() {}

  /**
   * @param group newest first, not empty
   * @param next what happened before
   */
  static boolean joins(List<Notice> group, Notice next) {
    Notice newest = group.getFirst();
    return isShared(newest.type())
        && newest.type() == next.type()
        && Objects.equals(newest.postId(), next.postId())
        && newest.read() == next.read()
        && group.size() < MOST
        && !next.createdAt().isBefore(newest.createdAt().minus(SPAN))
        && group.stream().noneMatch(notice -> notice.actorId().equals(next.actorId()));
  }

  /** What one person tells is told alone. */
  private static boolean isShared(NotificationType type) {
    return switch (type) {
      case FOLLOW, LIKE, COMMENT -> true;
      case MENTION, POST -> false;
    };
  }
}
