package social.feed.table.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Changes of blocks and mutes. Whoever sets one up replaces their own follow quota by its next
 * version as well, even where it says the same: of two at once one is refused and counts again, so
 * the cap holds under concurrency.
 */
public final class BlockWriter {
  private final Table table;
  private final BlocksAndMutes barriers;
  private final FollowWriter follows;
  private final GraphTransactions transactions;
  private final long cap;

  /**
   * @param follows knows the quotas
   * @param cap the most accounts that one user may block, and as many may be muted; of mutes that
   *     have ended of late there may be as many again
   */
  public BlockWriter(Table table, BlocksAndMutes barriers, FollowWriter follows, long cap) {
    this.table = table;
    this.barriers = barriers;
    this.follows = follows;
    this.transactions = new GraphTransactions(table);
    this.cap = cap;
  }

  /**
   * Blocks an account and ends the follow edges between the two, in one transaction; a repeat
   * changes nothing. A follow that comes beside it finds the block, or is found by it. Seven read
   * units, and one more for each thirty blocks of the user; eight write units, four more for each
   * edge that ends and two for each history that was kept beside one, or special follow.
   *
   * @throws ThrottledException when others keep changing the same quotas or edges
   */
  public BlockOutcome block(Block block) {
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      // Read before the count: whoever blocks in between changes its version.
      var quota = follows.quota(block.userId());
      if (table.get(block.key()).isPresent()) {
        return BlockOutcome.DONE;
      }
      if (!barriers
          .count(block.userId(), BlocksAndMutesList.BLOCKS, block.blockedId())
          .isBelow(cap)) {
        return BlockOutcome.CAP_REACHED;
      }
      if (transactions.commit(writes(transactions.insert(block), block, quota)).isEmpty()) {
        return BlockOutcome.DONE;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("The block at " + block.key(), 1, attempts());
  }

  /**
   * Makes a block whole again, for whoever repairs the table: the other side knows of it, and there
   * is no edge between the two. Costs what the block did.
   *
   * @return false where the block is gone
   */
  public boolean mend(Block block) {
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      var quota = follows.quota(block.userId());
      var refused = transactions.commit(writes(transactions.update(block), block, quota));
      if (refused.isEmpty()) {
        return true;
      }
      if (GraphTransactions.failedCondition(refused, 0)) {
        return false;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("The block at " + block.key(), 1, attempts());
  }

  /** Ends a block; there may be none, and no edge comes back. Four write units. */
  public void unblock(String userId, String blockedId) {
    var block = Block.key(userId, blockedId);
    var mirrored = BlockedBy.key(blockedId, userId);
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      var writes = List.of(transactions.clear(block), transactions.clear(mirrored));
      if (transactions.commit(writes).isEmpty()) {
        return;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("The end of the block at " + block, 1, attempts());
  }

  /**
   * Mutes an account; one that is muted is muted until the new time. Two read units, and one for
   * each thirty mutes of the user; four write units.
   *
   * @throws ThrottledException when others keep changing the same quota
   */
  public BlockOutcome mute(Mute mute) {
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      var quota = follows.quota(mute.userId());
      if (!barriers.count(mute.userId(), BlocksAndMutesList.MUTES, mute.mutedId()).isBelow(cap)) {
        return BlockOutcome.CAP_REACHED;
      }
      var writes = List.of(transactions.put(mute), transactions.replace(quota, 0));
      if (transactions.commit(writes).isEmpty()) {
        return BlockOutcome.DONE;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("The mute at " + mute.key(), 1, attempts());
  }

  /** Ends a mute; there may be none. One write unit. */
  public void unmute(String userId, String mutedId) {
    table
        .client()
        .deleteItem(
            d -> d.tableName(table.name()).key(KeyAttributes.of(Mute.key(userId, mutedId))));
  }

  /** Writes both quotas also where no edge ends: a follow that is on its way is refused by that. */
  private List<TransactWriteItem> writes(TransactWriteItem own, Block block, FollowQuota quota) {
    var user = block.userId();
    var other = block.blockedId();
    var quotaOfOther = follows.quota(other);
    // Read after the quotas: whoever follows in between changes one of them.
    var there = there(user, other);
    var writes = new ArrayList<TransactWriteItem>();
    writes.add(own);
    writes.add(transactions.put(block.mirrored()));
    writes.add(
        transactions.replace(
            unmarking(quota, other, writes), end(Follow.key(user, other), there, writes)));
    writes.add(
        transactions.replace(
            unmarking(quotaOfOther, user, writes), end(Follow.key(other, user), there, writes)));
    forget(user, other, there).ifPresent(writes::add);
    forget(other, user, there).ifPresent(writes::add);
    return writes;
  }

  /** The quota without a special follow of an account, whose row goes as well. */
  private FollowQuota unmarking(
      FollowQuota quota, String followee, List<TransactWriteItem> writes) {
    var rest = quota.unmarking(followee);
    if (!rest.equals(quota)) {
      writes.add(transactions.clear(SpecialFollower.key(quota.userId(), followee)));
    }
    return rest;
  }

  /** Ends an edge where there is one, and says by how many the quota changes. */
  private long end(Key edge, Set<Key> there, List<TransactWriteItem> writes) {
    if (!there.contains(edge)) {
      return 0;
    }
    writes.add(transactions.delete(edge));
    return -1;
  }

  /** An unfollow that keeps nothing ends what an earlier one had kept; so does this. */
  private Optional<TransactWriteItem> forget(String reader, String author, Set<Key> there) {
    var kept = RetainedPosts.key(reader, author);
    return there.contains(kept) && there.contains(Follow.key(reader, author))
        ? Optional.of(transactions.delete(kept))
        : Optional.empty();
  }

  private Set<Key> there(String user, String other) {
    var keys =
        List.of(
            Follow.key(user, other),
            Follow.key(other, user),
            RetainedPosts.key(user, other),
            RetainedPosts.key(other, user));
    return table.getAll(keys, true).stream().map(Row::key).collect(Collectors.toSet());
  }

  private int attempts() {
    return table.backoff().attempts();
  }
}
