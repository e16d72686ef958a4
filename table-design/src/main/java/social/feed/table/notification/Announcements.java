package social.feed.table.notification;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import social.feed.table.row.Announcement;
import social.feed.table.row.AnnouncementPart;
import social.feed.table.row.Keys;
import social.feed.table.schema.RecordSchema;
import social.feed.table.store.Partitions;
import social.feed.table.store.Table;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Who was told of which post, and is to be told no more when it goes. */
public final class Announcements {
  private static final RecordSchema<Announcement> SCHEMA = RecordSchema.of(Announcement.class);

  private final Table table;
  private final Partitions partitions;
  private final Notifications notifications;

  public Announcements(Table table, Notifications notifications) {
    this.table = table;
    this.partitions = new Partitions(table);
    this.notifications = notifications;
  }

  /**
   * Tells people of a post, each once: a notification that was read stays read. Three write units
   * each, two where it was told before.
   */
  public void tell(Collection<Announcement> announcements) {
    table.putAll(announcements);
    announcements.forEach(told -> notifications.add(told.notification()));
  }

  /** Whom a post was told, strongly consistent, some hundred at a time. One read unit for 4 KB. */
  public Stream<List<Announcement>> of(String postId) {
    return partitions.items(Keys.fanout(postId), Keys.TOLD).map(Announcements::read);
  }

  /** The same of those whose ids lie between two, both included, at once. */
  public List<Announcement> of(String postId, String first, String last) {
    return read(partitions.range(Keys.fanout(postId), Keys.told(first), Keys.told(last)));
  }

  private static List<Announcement> read(List<Map<String, AttributeValue>> items) {
    return items.stream().map(SCHEMA::mapToItem).toList();
  }

  /**
   * Takes back what some were told. Two write units each. The notes stay until they expire: an
   * attempt to tell that still runs, or was cut off, may yet write a notification, and finds them
   * when it looks again or is tried again.
   *
   * @return whether anybody was told
   */
  public boolean retract(Collection<Announcement> told) {
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
    partitions.keys(Keys.fanout(postId), Keys.TOLD_PARTS).forEach(table::deleteAll);
  }

  /** Adds parts that the stream brings back. One write unit each. */
  public void add(Collection<AnnouncementPart> parts) {
    table.putAll(parts);
  }
}
