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
 * Who wants to hear of whom: nobody is told what somebody did whom they block or mute, or who
 * blocks them. Whoever does so later has the notification hidden when it is read. Two read units
 * for each of those who would be told, however many did something.
 */
final class NotificationFilter {
  private final BlocksAndMutes barriers;

  NotificationFilter(BlocksAndMutes barriers) {
    this.barriers = barriers;
  }

  /** Those of some notifications that are wanted. */
  Set<Notification> wanted(List<Notification> notifications) {
    Map<String, ViewerRelations> around = new HashMap<>();
    var wanted = new HashSet<Notification>();
    for (var notification : notifications) {
      var boundary = around.computeIfAbsent(notification.userId(), barriers::around);
      if (!boundary.isDeafTo(notification.actorId(), notification.createdAt())) {
        wanted.add(notification);
      }
    }
    return wanted;
  }
}
