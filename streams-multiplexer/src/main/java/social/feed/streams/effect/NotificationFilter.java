package social.feed.streams.effect;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.ViewerRelations;
import social.feed.table.row.Notification;

/**
 * Selects the notifications whose recipients may receive them. No account is notified of an account
 * that it blocks or mutes, or that blocks it. A block or mute that comes later hides the
 * notification when it is read. Two or three read units for the first actor of each recipient. A
 * batch with several actors of one recipient costs as {@link ViewerRelations} states for several
 * accounts.
 */
final class NotificationFilter {
  private final BlocksAndMutes blocksAndMutes;

  NotificationFilter(BlocksAndMutes blocksAndMutes) {
    this.blocksAndMutes = blocksAndMutes;
  }

  /** Returns the notifications that may be written. */
  Set<Notification> allowed(List<Notification> notifications) {
    return notifications.stream()
        .collect(Collectors.groupingBy(Notification::userId))
        .entrySet()
        .stream()
        .flatMap(
            of ->
                blocksAndMutes
                    .around(of.getKey())
                    .audible(of.getValue(), Notification::actorId, Notification::createdAt)
                    .stream())
        .collect(Collectors.toSet());
  }
}
