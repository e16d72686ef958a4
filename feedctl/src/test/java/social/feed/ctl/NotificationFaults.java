package social.feed.ctl;

import static social.feed.ctl.Fault.AT;
import static social.feed.ctl.Fault.GHOST;
import static social.feed.ctl.Fault.now;
import static social.feed.ctl.GraphFaults.mark;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Notifications, and what notes of whom a post was told. */
final class NotificationFaults {
  private NotificationFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "unread notification that is not among them",
            Index.UNREAD.partitionKey() + " is absent",
            w ->
                w.remove(
                    notification(w).key(), Index.UNREAD.partitionKey(), Index.UNREAD.sortKey())),
        new Fault(
            "read notification among the unread",
            Index.UNREAD.sortKey() + " is 20",
            w -> w.set(notification(w).key(), Notification.READ, AttributeValue.fromBool(true))),
        new Fault(
            "notification of a post that nobody would take back",
            "is not noted at",
            w -> w.plant(told(w.postOf("3")).notification())),
        new Fault(
            "post that was noted and not told",
            "has not reached its reader",
            w -> {
              mark(w);
              w.plant(told(w.postOf("3")));
            }),
        new Fault(
            "post that is told and gone",
            "which others must not see",
            w -> {
              var told = new PostNotification(GHOST, "1", "3", AT, told(w.postOf("3")).expiresAt());
              w.plant(told);
              w.plant(told.notification());
            }));
  }

  static Notification notification(VerifyWorld world) {
    return new Notifications(world.table(), Clock.systemUTC())
        .all("3", PageRequest.first(1))
        .items()
        .getFirst();
  }

  /** Reader 1 was told of it. */
  static PostNotification told(Post post) {
    return new PostNotification(
        post.postId(),
        "1",
        post.authorId(),
        post.createdAt(),
        now().plus(Duration.ofDays(1)).getEpochSecond());
  }
}
