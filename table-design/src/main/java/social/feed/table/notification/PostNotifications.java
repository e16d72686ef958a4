package social.feed.table.notification;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Keys;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
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
   */
  public void notify(Collection<PostNotification> rows) {
    table.putAll(rows);
    rows.forEach(row -> notifications.add(row.notification()));
  }

  /**
   * Returns who was notified of a post, up to 500 at a time, strongly consistent. One read unit for
   * 4 KB.
   */
  public Stream<List<PostNotification>> of(String postId) {
    return partitions
        .items(Keys.fanout(postId), Keys.POST_NOTIFICATIONS)
        .map(PostNotifications::read);
  }

  /** As {@link #of(String)}, for the ids between two, both included, at once. */
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

  /**
   * Retracts the notifications of all followers who were notified of a post. Two read units, and
   * two write units each.
   *
   * @return whether there was any
   */
  public boolean retractAll(String postId) {
    deleteChunks(postId);
    return of(postId).map(this::retract).reduce(false, Boolean::logicalOr);
  }

  /**
   * Deletes the chunks of an audience, so that it is cut again. One read unit, one write unit each.
   */
  public void deleteChunks(String postId) {
    partitions.keys(Keys.fanout(postId), Keys.POST_NOTIFICATION_CHUNKS).forEach(table::deleteAll);
  }

  /** Adds a chunk, which the stream delivers. One write unit. */
  public void add(PostNotificationChunk chunk) {
    table.putAll(List.of(chunk));
  }
}
