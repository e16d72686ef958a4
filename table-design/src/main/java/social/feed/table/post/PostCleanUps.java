package social.feed.table.post;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.equal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostNotification;

/**
 * Removes the rows of posts that were deleted or made private, a bounded part at a time, and stores
 * the orders for what is left. Each part reads its rows strongly consistent. A handler that writes
 * such a row looks at the post afterwards, so none comes in behind a part unnoticed.
 */
public final class PostCleanUps {
  /** The rows next to a post in its partition. */
  private static final List<String> CHILDREN = List.of(Keys.TAGS, Keys.LIKES, Keys.COMMENTS);

  private static final RecordSchema<PostCleanUp> SCHEMA = RecordSchema.of(PostCleanUp.class);
  private static final RecordSchema<PostNotification> NOTIFIED =
      RecordSchema.of(PostNotification.class);

  private final Table table;
  private final PartitionQueries partitions;

  public PostCleanUps(Table table) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
  }

  /**
   * A part of a removal.
   *
   * @param hadRows whether the part found a row
   * @param rest the key after which the next part begins; empty when nothing is left
   */
  public record Part(boolean hadRows, Optional<Key> rest) {
    /** The part of what does not exist. */
    public static final Part NONE = new Part(false, Optional.empty());
  }

  /**
   * Rows of one partition whose sort keys have the same beginning.
   *
   * @param behind keys that are deleted with the last of these rows
   * @param isNotified whether these are records of notifications. The notifications are removed,
   *     and the records stay until they expire: an attempt to notify that still runs may write a
   *     notification, and finds its record when it looks again
   */
  private record Source(String partition, String prefix, List<Key> behind, boolean isNotified) {
    static Source of(String partition, String prefix) {
      return new Source(partition, prefix, List.of(), false);
    }

    boolean has(Key key) {
      return key.partition().equals(partition) && key.sort().startsWith(prefix);
    }
  }

  /**
   * A page of a source.
   *
   * @param removed keys to delete
   */
  private record Rows(List<Key> read, List<Key> removed) {}

  /**
   * Removes what refers to a deleted post: feed entries, its fan-out, tag rows, likes, comments and
   * notifications of the author's special followers. One query for each shard of its feeds and six
   * more, at one read unit for 4 KB; two write units for a feed entry, a like or a notification.
   *
   * @param after where the part begins, absent for the first one
   * @param limit the most rows of the part
   */
  public Part removeAll(String postId, int feedShards, @Nullable Key after, int limit) {
    return remove(all(postId, feedShards), after, limit, null);
  }

  /**
   * Removes a post from feeds, the author's included. One query a shard, at one read unit for 4 KB,
   * and two write units an entry.
   */
  public Part removeFromFeeds(String postId, int feedShards, int limit) {
    return remove(feeds(postId, feedShards).toList(), null, limit, null);
  }

  /** Removes tag rows, likes and comments of a post. Three queries, and their write units. */
  public Part removeChildren(String postId, int limit) {
    return remove(children(postId).toList(), null, limit, null);
  }

  /**
   * Removes a post from every feed except its author's own. One query a shard, at one read unit for
   * 4 KB, and two write units an entry.
   *
   * @param after where the part begins, absent for the first one
   * @param limit the most entries that the part reads
   * @return a part that had rows if another feed had the post
   */
  public Part withdraw(Post post, @Nullable Key after, int limit) {
    return remove(
        feeds(post.postId(), post.feedShards()).toList(), after, limit, Keys.feed(post.authorId()));
  }

  private static List<Source> all(String postId, int feedShards) {
    var fanOut = Keys.fanout(postId);
    return Stream.of(
            feeds(postId, feedShards),
            Stream.of(new Source(fanOut, Keys.CHUNKS, List.of(FanOutPlan.key(postId)), false)),
            children(postId),
            Stream.of(
                Source.of(fanOut, Keys.POST_NOTIFICATION_CHUNKS),
                new Source(fanOut, Keys.POST_NOTIFICATIONS, List.of(), true)))
        .flatMap(sources -> sources)
        .toList();
  }

  private static Stream<Source> feeds(String postId, int feedShards) {
    return IntStream.range(0, feedShards)
        .mapToObj(shard -> Source.of(Keys.fanout(postId, shard), Keys.FEEDS));
  }

  private static Stream<Source> children(String postId) {
    return CHILDREN.stream().map(prefix -> Source.of(Keys.post(postId), prefix));
  }

  /**
   * @param kept sort key of rows that stay, absent for none
   */
  private Part remove(List<Source> sources, @Nullable Key after, int limit, @Nullable String kept) {
    int left = limit;
    boolean hadRows = false;
    for (var source : from(sources, after)) {
      var begin = after != null && source.has(after) ? after.sort() : null;
      var rows = read(source, begin, left);
      var removed = rows.removed.stream().filter(row -> !row.sort().equals(kept)).toList();
      left -= rows.read.size();
      hadRows |= !removed.isEmpty();
      if (left == 0) {
        table.deleteAll(removed);
        return new Part(hadRows, Optional.of(rows.read.getLast()));
      }
      table.deleteAll(Stream.concat(removed.stream(), source.behind.stream()).toList());
    }
    return new Part(hadRows, Optional.empty());
  }

  /** The sources that are not done. A key of no source, as of another version, starts over. */
  private static List<Source> from(List<Source> sources, @Nullable Key after) {
    return after == null || sources.stream().noneMatch(source -> source.has(after))
        ? sources
        : sources.stream().dropWhile(source -> !source.has(after)).toList();
  }

  private Rows read(Source source, @Nullable String after, int limit) {
    if (!source.isNotified) {
      var keys = partitions.keysAfter(source.partition, source.prefix, after, limit);
      return new Rows(keys, keys);
    }
    var records =
        partitions.after(source.partition, source.prefix, after, limit).stream()
            .map(NOTIFIED::mapToItem)
            .toList();
    return new Rows(
        records.stream().map(PostNotification::key).toList(),
        records.stream().map(record -> record.notification().key()).toList());
  }

  /** Returns an order, strongly consistent, empty where nothing is left. One read unit. */
  public Optional<PostCleanUp> find(Key key) {
    return table.get(key).map(SCHEMA::mapToItem);
  }

  /**
   * Orders the next part, in place of an earlier order for the same cause: the caller has removed
   * all rows before the position. One write unit, one more where there was an order.
   *
   * @throws ThrottledException when concurrent writes keep changing the order
   */
  public void order(PostCleanUp cleanUp) {
    table
        .retry()
        .until(
            "Order of " + cleanUp.key(),
            () -> {
              var outcome = table.put(cleanUp, absent().returningItem());
              boolean isOrdered =
                  outcome.isDone()
                      || outcome
                          .existing(cleanUp.key())
                          .map(SCHEMA::mapToItem)
                          .filter(before -> advance(before, cleanUp))
                          .isPresent();
              return isOrdered ? Optional.of(true) : Optional.empty();
            });
  }

  private boolean advance(PostCleanUp before, PostCleanUp next) {
    return advance(before, next.position(), next.orderedAt());
  }

  /**
   * Orders the next part after one that was done, unless another process did since the order was
   * read. One write unit.
   *
   * @return whether this call ordered it
   */
  public boolean advance(PostCleanUp read, Key position, Instant now) {
    return table
        .put(read.after(position, now), equal(PostCleanUp.REVISION, read.revision()))
        .isDone();
  }

  /** Ends an order after its last part, unless the order has changed. One write unit. */
  public void end(PostCleanUp read) {
    table.delete(read.key(), equal(PostCleanUp.REVISION, read.revision()));
  }
}
