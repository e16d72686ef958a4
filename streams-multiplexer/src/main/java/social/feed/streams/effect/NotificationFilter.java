package social.feed.streams.effect;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.ViewerRelations;
import social.feed.table.row.Notification;

/**
 * Selects the notifications whose recipients may receive them. No account is notified of an account
 * that it blocks or mutes, or that blocks it. A block or mute that comes later hides the
 * notification when it is read. Two read units a recipient, however many notifications it has.
 */
final class NotificationFilter {
  private final BlocksAndMutes blocksAndMutes;

  NotificationFilter(BlocksAndMutes blocksAndMutes) {
    this.blocksAndMutes = blocksAndMutes;
  }

  /** Returns the notifications that may be written. */
  Set<Notification> allowed(List<Notification> notifications) {
    Map<String, ViewerRelations> relations = new HashMap<>();
    var allowed = new HashSet<Notification>();
    for (var notification : notifications) {
      var ofRecipient = relations.computeIfAbsent(notification.userId(), blocksAndMutes::around);
      if (!ofRecipient.isSilencedAt(notification.actorId(), notification.createdAt())) {
        allowed.add(notification);
      }
    }
    return allowed;
  }
}
