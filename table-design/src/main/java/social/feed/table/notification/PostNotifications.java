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

/** Who was told of which post, and is to be told no more when it goes. */
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
   * Tells people of a post, each once: a notification that was read stays read. Three write units
   * each, two where it was told before.
   */
  public void tell(Collection<PostNotification> announcements) {
    table.putAll(announcements);
    announcements.forEach(told -> notifications.add(told.notification()));
  }

  /** Whom a post was told, strongly consistent, some hundred at a time. One read unit for 4 KB. */
  public Stream<List<PostNotification>> of(String postId) {
    return partitions
        .items(Keys.fanout(postId), Keys.POST_NOTIFICATIONS)
        .map(PostNotifications::read);
  }

  /** The same of those whose ids lie between two, both included, at once. */
  public List<PostNotification> of(String postId, String first, String last) {
    return read(
        partitions.range(
            Keys.fanout(postId), Keys.postNotification(first), Keys.postNotification(last)));
  }

  private static List<PostNotification> read(List<Map<String, AttributeValue>> items) {
    return items.stream().map(SCHEMA::mapToItem).toList();
  }

  /**
   * Takes back what some were told. Two write units each. The notes stay until they expire: an
   * attempt to tell that still runs, or was cut off, may yet write a notification, and finds them
   * when it looks again or is tried again.
   *
   * @return whether anybody was told
   */
  public boolean retract(Collection<PostNotification> told) {
    table.deleteAll(told.stream().map(one -> one.notification().key()).toList());
    return !told.isEmpty();
  }

  /**
   * Takes a post back from all who were told. Two read units, and two write units each.
   *
   * @return whether anybody was told
   */
  public boolean retractAll(String postId) {
    forgetParts(postId);
    return of(postId).map(this::retract).reduce(false, Boolean::logicalOr);
  }

  /** Begins anew to cut those who are to be told. One read unit, one write unit a part. */
  public void forgetParts(String postId) {
    partitions.keys(Keys.fanout(postId), Keys.POST_NOTIFICATION_CHUNKS).forEach(table::deleteAll);
  }

  /** Adds parts that the stream brings back. One write unit each. */
  public void add(Collection<PostNotificationChunk> parts) {
    table.putAll(parts);
  }
}
