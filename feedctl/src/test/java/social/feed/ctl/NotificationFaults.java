package social.feed.ctl;

import static social.feed.ctl.Fault.AT;
import static social.feed.ctl.Fault.GHOST;
import static social.feed.ctl.Fault.now;
import static social.feed.ctl.GraphFaults.followSpecially;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Inbox;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Faults of notifications, and of the records of who was notified of a post. */
final class NotificationFaults {
  private NotificationFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "unread notification that is missing from the unread ones",
            Index.UNREAD.partitionKey() + " is absent",
            w ->
                w.remove(
                    notification(w).key(), Index.UNREAD.partitionKey(), Index.UNREAD.sortKey())),
        new Fault(
            "read notification among the unread",
            Index.UNREAD.sortKey() + " is 20",
            w -> w.set(notification(w).key(), Notification.READ, AttributeValue.fromBool(true))),
        new Fault(
            "unread notification that the inbox does not count",
            "is not counted in",
            w -> w.plant(uncounted())),
        new Fault(
            "inbox whose older notifications were never counted",
            "waits for work on its notifications",
            w -> w.set(Inbox.key("3"), Inbox.COMPLETE, AttributeValue.fromBool(false))),
        new Fault(
            "inbox whose notifications were never marked as read",
            "waits for work on its notifications",
            w ->
                w.set(
                    Inbox.key("3"), Inbox.READ_UP_TO, AttributeValue.fromS(Timestamps.format(AT)))),
        new Fault("lost inbox", "has no inbox that counts it", w -> w.steal(Inbox.key("3"))),
        new Fault(
            "notification of a post without a record",
            "is not recorded at",
            w -> w.plant(record(w.postOf("3")).notification())),
        new Fault(
            "recorded post without a notification",
            "has not reached its reader",
            w -> {
              followSpecially(w);
              w.plant(record(w.postOf("3")));
            }),
        new Fault(
            "notification of a deleted post",
            "which others must not see",
            w -> {
              var expiry = record(w.postOf("3")).expiresAt();
              var record = new PostNotification(GHOST, "1", "3", AT, expiry);
              w.plant(record);
              w.plant(record.notification());
            }),
        new Fault(
            "mention in a deleted post",
            "which others must not see",
            w -> w.plant(mention(GHOST))));
  }

  /** Returns the notification that reader 1 is mentioned in a post. */
  static Notification mention(String postId) {
    return new Notification(
        "1",
        TimeOrderedId.named(AT, "mention", postId),
        NotificationType.MENTION,
        "3",
        postId,
        AT,
        false,
        now().plus(Duration.ofDays(30)).getEpochSecond());
  }

  static Notification notification(VerifyWorld world) {
    return new Notifications(world.table(), Clock.systemUTC())
        .all("3", PageRequest.first(1))
        .items()
        .getFirst();
  }

  /** Returns a notification as a process of a version before the inbox writes it. */
  private static Notification uncounted() {
    return new Notification(
        "3",
        TimeOrderedId.named(AT, "uncounted"),
        NotificationType.FOLLOW,
        "1",
        null,
        AT,
        false,
        now().plus(Duration.ofDays(30)).getEpochSecond(),
        null);
  }

  /** Returns the record that reader 1 was notified of a post. */
  static PostNotification record(Post post) {
    return new PostNotification(
        post.postId(),
        "1",
        post.authorId(),
        post.createdAt(),
        now().plus(Duration.ofDays(30)).getEpochSecond());
  }
}
