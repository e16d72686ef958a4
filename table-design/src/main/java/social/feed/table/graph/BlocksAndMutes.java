package social.feed.table.graph;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Blocks and mutes as they are read, always strongly consistent: what was blocked is hidden from
 * the answer on. {@link BlockWriter} changes them.
 */
public final class BlocksAndMutes {
  private final Table table;
  private final PartitionQueries partitions;
  private final Clock clock;

  public BlocksAndMutes(Table table, Clock clock) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
    this.clock = clock;
  }

  /** What stands between a user and others from now on; nothing is read until it is asked. */
  public ViewerRelations around(String userId) {
    return new ViewerRelations(this, userId, clock.instant());
  }

  /**
   * The blocks or mutes of a user, by the id of the other account; position is the sort key. One
   * read unit for each 4 KB, which hold some thirty of them.
   */
  @Serves(AccessPattern.FEED_014)
  public Page<BlockOrMute> of(String userId, BlocksAndMutesList list, PageRequest request) {
    AccessPattern.FEED_014.requireWithin(request);
    var items =
        partitions.after(Keys.user(userId), list.prefix(), request.after(), request.limit());
    var slots = items.stream().map(BlocksAndMutes::slot).toList();
    return new Page<>(slots, slots.size() < request.limit() ? null : slots.getLast().position());
  }

  /** Those that are at some keys. One read unit each. */
  Stream<BlockOrMute> at(Collection<Key> keys) {
    return table.itemsAt(keys, true).stream().map(BlocksAndMutes::barrier);
  }

  /**
   * How many blocks or mutes there are.
   *
   * @param inForce of those that hold now
   * @param stored of all rows; a mute that has ended stays for some days
   */
  record Count(long inForce, long stored) {
    /** Whether there is room for one more: what has ended is bounded as well. */
    boolean isBelow(long cap) {
      return inForce < cap && stored < 2 * cap;
    }
  }

  /**
   * How many accounts a user blocks or mutes, exactly. One read unit for each 4 KB of them.
   *
   * @param other left out
   */
  Count count(String userId, BlocksAndMutesList list, String other) {
    var now = clock.instant();
    var others =
        partitions
            .items(Keys.user(userId), list.prefix())
            .flatMap(List::stream)
            .map(BlocksAndMutes::barrier)
            .filter(barrier -> !barrier.otherId().equals(other))
            .map(barrier -> barrier.isInForceAt(now))
            .toList();
    return new Count(others.stream().filter(isInForce -> isInForce).count(), others.size());
  }

  private static Positioned<BlockOrMute> slot(Map<String, AttributeValue> item) {
    var barrier = barrier(item);
    return new Positioned<>(barrier.key().sort(), barrier);
  }

  private static BlockOrMute barrier(Map<String, AttributeValue> item) {
    return (BlockOrMute) RowCodec.decode(item);
  }
}
