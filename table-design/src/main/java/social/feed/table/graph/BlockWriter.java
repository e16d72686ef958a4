package social.feed.table.graph;

import static social.feed.table.graph.FollowQuotas.unchanged;
import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.present;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Transaction;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.store.WriteOutcome;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Mute;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;

/**
 * Changes blocks and mutes. A new block or mute also replaces the user's own follow quota by its
 * next version. So of two concurrent ones the second is rejected and counts again, and the cap
 * holds under concurrency.
 *
 * <p>The quota of the blocked account says whether blocks may name it. The first block raises its
 * version before the block is written, and no later one writes it. So many accounts can block one
 * at the same time.
 */
public final class BlockWriter {
  private final Table table;
  private final BlocksAndMutes blocksAndMutes;
  private final FollowQuotas quotas;
  private final long cap;

  /**
   * @param cap the most accounts that one user may block, and the most that one may mute; as many
   *     mutes that ended recently may be stored in addition
   */
  public BlockWriter(Table table, BlocksAndMutes blocksAndMutes, long cap) {
    this.table = table;
    this.blocksAndMutes = blocksAndMutes;
    this.quotas = new FollowQuotas(table);
    this.cap = cap;
  }

  /**
   * Blocks an account and ends the follow edges between the two, in one transaction; a repeat
   * changes nothing. A concurrent follow finds the block, or the block finds it. Blocks of one
   * account by many others do not reject each other. Seven read units, and one more for each thirty
   * blocks of the user. Eight write units, two more where no block named the other account before,
   * four more for each edge that ends, and two for each history retained next to an edge and for
   * each special follow.
   *
   * @throws ThrottledException when concurrent writes keep changing the same quotas or edges
   */
  public BlockOutcome block(Block block) {
    return table
        .retry()
        .until(
            "The block at " + block.key(),
            () -> {
              // Read before the count: a concurrent block changes the quota's version.
              var quota = quotas.of(block.userId());
              if (table.get(block.key()).isPresent()) {
                return Optional.of(BlockOutcome.DONE);
              }
              var stored =
                  blocksAndMutes.count(
                      block.userId(), BlocksAndMutesList.BLOCKS, block.blockedId());
              if (!stored.isBelow(cap)) {
                return Optional.of(BlockOutcome.CAP_REACHED);
              }
              return write(block, absent(), quota).isDone()
                  ? Optional.of(BlockOutcome.DONE)
                  : Optional.empty();
            });
  }

  /**
   * Repairs a block: writes the row of the blocked account and ends the edges between the two.
   * Costs as the block did.
   *
   * @return false where the block is gone
   */
  public boolean repair(Block block) {
    return table
        .retry()
        .until(
            "The block at " + block.key(),
            () -> {
              var quota = quotas.of(block.userId());
              var outcome = write(block, present(), quota);
              if (outcome.isDone()) {
                return Optional.of(true);
              }
              return outcome.failedAt(block.key()) ? Optional.of(false) : Optional.empty();
            });
  }

  /** Ends a block; there may be none, and no edge comes back. Four write units. */
  public void unblock(String userId, String blockedId) {
    var block = Block.key(userId, blockedId);
    var mirrored = BlockedBy.key(blockedId, userId);
    table
        .retry()
        .until(
            "The end of the block at " + block,
            () ->
                table.transaction().delete(block).delete(mirrored).commit().isDone()
                    ? Optional.of(block)
                    : Optional.empty());
  }

  /**
   * Mutes an account; one that is muted already is muted until the new time. Three read units, and
   * one for each thirty mutes of the user. Six write units.
   *
   * @throws ThrottledException when concurrent writes keep changing the same quota
   */
  public BlockOutcome mute(Mute mute) {
    return table
        .retry()
        .until(
            "The mute at " + mute.key(),
            () -> {
              var quota = quotas.of(mute.userId());
              var stored =
                  blocksAndMutes.count(mute.userId(), BlocksAndMutesList.MUTES, mute.mutedId());
              if (!stored.isBelow(cap)) {
                return Optional.of(BlockOutcome.CAP_REACHED);
              }
              var transaction =
                  table.transaction().put(mute).put(quota.related().next(), unchanged(quota));
              noteMute(mute.userId(), transaction);
              return transaction.commit().isDone()
                  ? Optional.of(BlockOutcome.DONE)
                  : Optional.empty();
            });
  }

  /** The number of unread notifications includes those of muted accounts, so it says it may. */
  private void noteMute(String userId, Transaction transaction) {
    var inbox = Inbox.key(userId);
    if (table.get(inbox).isPresent()) {
      transaction.update(inbox, new Update().add(Inbox.MUTES, 1), present());
    } else {
      // One that is created meanwhile may have seen no mute.
      transaction.check(inbox, absent());
    }
  }

  /**
   * Repairs the quota of an account that mutes, which then says that there are mutes. One read unit
   * and two write units.
   *
   * @return whether the repair was written; false where a concurrent write came first
   */
  public boolean repair(Mute mute) {
    return relate(quotas.of(mute.userId())).isDone();
  }

  /**
   * Ends a mute; there may be none. Changes the version of the quota, as a mute does. Two read and
   * four write units.
   *
   * @throws ThrottledException when concurrent writes keep changing the same quota
   */
  public void unmute(String userId, String mutedId) {
    var mute = Mute.key(userId, mutedId);
    table
        .retry()
        .until(
            "The end of the mute at " + mute,
            () -> {
              var quota = quotas.of(userId);
              return table.get(mute).isEmpty()
                      || table
                          .transaction()
                          .delete(mute)
                          .put(quota.related().next(), unchanged(quota))
                          .commit()
                          .isDone()
                  ? Optional.of(mute)
                  : Optional.empty();
            });
  }

  private WriteOutcome write(Block block, Condition ofBlock, FollowQuota quota) {
    var user = block.userId();
    var other = block.blockedId();
    var quotaOfOther = quotas.of(other);
    // Read after the quotas: a concurrent follow changes one of them.
    var stored = stored(user, other);
    var transaction = table.transaction().put(block, ofBlock).put(block.mirrored());
    end(quota, quota, other, stored, transaction);
    if (hasSomethingToEnd(quotaOfOther, user, stored)) {
      end(quotaOfOther, answered(quotaOfOther, block, stored), user, stored, transaction);
    } else {
      if (quotaOfOther.isUnrelated()) {
        var outcome = relate(quotaOfOther);
        if (!outcome.isDone()) {
          return outcome;
        }
      }
      transaction.check(Follow.key(other, user), absent());
    }
    endRetention(user, other, stored, transaction);
    endRetention(other, user, stored, transaction);
    return transaction.commit();
  }

  /**
   * Makes a quota say that blocks may name its user. Comes before the block, so a follow that read
   * the quota before is rejected, or the block finds its edge. A transaction, because its conflict
   * with another one can be repeated.
   */
  private WriteOutcome relate(FollowQuota quota) {
    return quota.version() == 0
        ? table.transaction().put(quota.related().next(), unchanged(quota)).commit()
        : table
            .transaction()
            .update(quota.key(), new Update().add(FollowQuota.VERSION, 1), present())
            .commit();
  }

  private static boolean hasSomethingToEnd(FollowQuota quota, String followee, Set<Key> stored) {
    return quota.specials().contains(followee)
        || stored.contains(Follow.key(quota.userId(), followee));
  }

  /** Counts that a block answers a follow, in the quota that ends the edge anyway. */
  private static FollowQuota answered(FollowQuota quota, Block block, Set<Key> stored) {
    return quota.day() != null
            && !block.createdAt().isBefore(quota.day())
            && stored.contains(Follow.key(quota.userId(), block.userId()))
        ? quota.on(block.createdAt()).blockedOnce()
        : quota;
  }

  /**
   * Ends the edge to a followee, and its special follow, where there is one.
   *
   * @param quota as it was read
   * @param counted the same with what the block counts in it
   */
  private static void end(
      FollowQuota quota,
      FollowQuota counted,
      String followee,
      Set<Key> stored,
      Transaction transaction) {
    var rest = counted.unmarking(followee);
    if (!rest.equals(counted)) {
      transaction.delete(SpecialFollower.key(quota.userId(), followee));
    }
    var edge = Follow.key(quota.userId(), followee);
    if (stored.contains(edge)) {
      transaction.delete(edge, present());
    }
    var related = rest.related();
    transaction.put(
        stored.contains(edge) ? related.unfollowing(followee) : related.next(), unchanged(quota));
  }

  /** Ends retention that an earlier unfollow left, as an unfollow without retention does. */
  private static void endRetention(
      String reader, String author, Set<Key> stored, Transaction transaction) {
    var retained = RetainedPosts.key(reader, author);
    if (stored.contains(retained) && stored.contains(Follow.key(reader, author))) {
      transaction.delete(retained, present());
    }
  }

  private Set<Key> stored(String user, String other) {
    var keys =
        List.of(
            Follow.key(user, other),
            Follow.key(other, user),
            RetainedPosts.key(user, other),
            RetainedPosts.key(other, user));
    return table.getAll(keys, true).stream().map(Row::key).collect(Collectors.toSet());
  }
}
