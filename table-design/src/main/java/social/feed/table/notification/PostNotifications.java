package social.feed.table.notification;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.PostNotification;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The followers who were notified of a post. When the post goes, their notifications are retracted.
 */
public final class PostNotifications {
  private static final RecordSchema<PostNotification> SCHEMA =
      RecordSchema.of(PostNotification.class);

  private final Table table;
  private final PartitionQueries partitions;
  private final Notifications notifications;

  public PostNotifications(Table table, Notifications notifications) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
    this.notifications = notifications;
  }

  /**
   * Notifies followers of a post, each once: a notification that was read stays read. Three write
   * units each, two where the follower was notified before.
   *
   * @param atOnce the most concurrent calls
   */
  public void notify(Collection<PostNotification> rows, int atOnce) {
    table.putAll(rows);
    notifications.addAll(rows.stream().map(PostNotification::notification).toList(), atOnce);
  }

  /**
   * Returns who was notified of a post, in the order of their ids, strongly consistent. One read
   * unit for 4 KB.
   *
   * @param after the key of the last row before, absent for the first ones
   * @param limit the most that are returned; fewer mean the end
   */
  public List<PostNotification> after(String postId, @Nullable Key after, int limit) {
    var begin = after == null ? null : after.sort();
    return read(partitions.after(Keys.fanout(postId), Keys.POST_NOTIFICATIONS, begin, limit));
  }

  /** Returns who was notified of a post, of the ids between two, both included, at once. */
  public List<PostNotification> of(String postId, String first, String last) {
    return read(
        partitions.range(
            Keys.fanout(postId), Keys.postNotification(first), Keys.postNotification(last)));
  }

  private static List<PostNotification> read(List<Map<String, AttributeValue>> items) {
    return items.stream().map(SCHEMA::mapToItem).toList();
  }

  /**
   * Retracts the notifications of some followers. Two write units each. The rows stay until they
   * expire: an attempt to notify that still runs, or that was cut off, may still write a
   * notification, and finds the rows when it reads again or is retried.
   *
   * @return whether there was any
   */
  public boolean retract(Collection<PostNotification> rows) {
    table.deleteAll(rows.stream().map(row -> row.notification().key()).toList());
    return !rows.isEmpty();
  }
}
