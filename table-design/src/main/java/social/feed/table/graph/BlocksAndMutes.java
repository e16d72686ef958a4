package social.feed.table.graph;

import java.time.Clock;
import java.time.Instant;
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
 * Reads blocks and mutes, always strongly consistent: a block hides the account from the moment
 * that it is confirmed. {@link BlockWriter} changes them.
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

  /** Returns a user's relations to others, as of now. Reads nothing before their first use. */
  public ViewerRelations around(String userId) {
    return around(userId, ViewerRelations.Known.NOTHING);
  }

  /**
   * As {@link #around(String)}.
   *
   * @param known asked before the first read
   */
  public ViewerRelations around(String userId, ViewerRelations.Known known) {
    return new ViewerRelations(this, userId, clock.instant(), known);
  }

  /**
   * Returns a page of the blocks or mutes of a user, in the order of the other accounts' ids.
   * Position is the sort key. One read unit for each 4 KB, which hold about thirty of them.
   */
  @Serves(AccessPattern.FEED_014)
  public Page<BlockOrMute> of(String userId, BlocksAndMutesList list, PageRequest request) {
    AccessPattern.FEED_014.requireWithin(request);
    var items =
        partitions.after(Keys.user(userId), list.prefix(), request.after(), request.limit());
    var slots = items.stream().map(BlocksAndMutes::positioned).toList();
    return new Page<>(slots, slots.size() < request.limit() ? null : slots.getLast().position());
  }

  /**
   * Returns the first blocks or mutes between two keys of one user, both included. One read unit
   * for each 4 KB.
   */
  List<BlockOrMute> between(Key first, Key last, int limit) {
    return partitions.range(first.partition(), first.sort(), last.sort(), limit).stream()
        .map(BlocksAndMutes::decode)
        .toList();
  }

  /**
   * Returns whether all mutes of a user began before a time; false where one page does not hold
   * them. One read unit for each 4 KB of them.
   */
  public boolean areMutesFromBefore(String userId, Instant time) {
    var most = PageRequest.first(AccessPattern.FEED_014.maxPage());
    var page = of(userId, BlocksAndMutesList.MUTES, most);
    return page.next() == null
        && page.items().stream().allMatch(mute -> mute.createdAt().isBefore(time));
  }

  /** Returns the blocks and mutes at some keys. One read unit each. */
  Stream<BlockOrMute> at(Collection<Key> keys) {
    return table.itemsAt(keys, true).stream().map(BlocksAndMutes::decode);
  }

  /**
   * The number of blocks or mutes.
   *
   * @param inForce those in force now
   * @param stored all rows; a mute that has ended stays for some days
   */
  record Count(long inForce, long stored) {
    /** Whether the user may add one more. The number of ended mutes is limited as well. */
    boolean isBelow(long cap) {
      return inForce < cap && stored < 2 * cap;
    }
  }

  /**
   * Returns how many accounts a user blocks or mutes, exactly. One read unit for each 4 KB of them.
   *
   * @param other an account that is not counted
   */
  Count count(String userId, BlocksAndMutesList list, String other) {
    var now = clock.instant();
    var others =
        partitions
            .items(Keys.user(userId), list.prefix())
            .flatMap(List::stream)
            .map(BlocksAndMutes::decode)
            .filter(row -> !row.otherId().equals(other))
            .map(row -> row.isInForceAt(now))
            .toList();
    return new Count(others.stream().filter(isInForce -> isInForce).count(), others.size());
  }

  private static Positioned<BlockOrMute> positioned(Map<String, AttributeValue> item) {
    var row = decode(item);
    return new Positioned<>(row.key().sort(), row);
  }

  private static BlockOrMute decode(Map<String, AttributeValue> item) {
    return (BlockOrMute) RowCodec.decode(item);
  }
}
