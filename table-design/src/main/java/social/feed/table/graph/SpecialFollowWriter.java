package social.feed.table.graph;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Follow;
import social.feed.table.row.SpecialFollower;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Changes of who follows whom specially. That is said in three places, which are written in one
 * transaction and on condition of the quota's version, as every end of an edge is: on the edge, in
 * the follower's quota and in a row beside the followee's edges. So of a mark and an unfollow at
 * once one is refused and looks again, and none of the three outlives the edge.
 */
public final class SpecialFollowWriter {
  private static final RecordSchema<Follow> EDGE = RecordSchema.of(Follow.class);

  private final Table table;
  private final FollowWriter follows;
  private final GraphTransactions transactions;
  private final int cap;

  /**
   * @param follows knows the quotas
   * @param cap the most accounts that one user may follow specially
   */
  public SpecialFollowWriter(Table table, FollowWriter follows, int cap) {
    this.table = table;
    this.follows = follows;
    this.transactions = new GraphTransactions(table);
    this.cap = cap;
  }

  /**
   * Makes a follow special; a repeat changes nothing. Two read units and six write units: edge,
   * quota and row at two each, as the edge's indexes do not show it.
   *
   * @throws ThrottledException when others keep changing the same quota
   */
  public SpecialFollowOutcome mark(String followerId, String followeeId, Instant now) {
    var edge = Follow.key(followerId, followeeId);
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      var quota = follows.quota(followerId);
      if (quota.specials().contains(followeeId)) {
        return SpecialFollowOutcome.DONE;
      }
      if (table.get(edge).isEmpty()) {
        return SpecialFollowOutcome.NOT_FOLLOWING;
      }
      if (quota.specials().size() >= cap) {
        return SpecialFollowOutcome.CAP_REACHED;
      }
      var writes =
          List.of(
              transactions.markSpecial(edge, now),
              transactions.put(new SpecialFollower(followerId, followeeId, now)),
              transactions.replace(quota.marking(followeeId), 0));
      if (transactions.commit(writes).isEmpty()) {
        return SpecialFollowOutcome.DONE;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("The special follow at " + edge, 1, attempts());
  }

  /**
   * Makes a special follow one like any other. One read unit and six write units.
   *
   * @return whether it was special
   * @throws ThrottledException when others keep changing the same quota
   */
  public boolean unmark(String followerId, String followeeId) {
    var edge = Follow.key(followerId, followeeId);
    for (int attempt = 1; attempt <= attempts(); attempt++) {
      var quota = follows.quota(followerId);
      if (!quota.specials().contains(followeeId)) {
        return false;
      }
      var writes =
          List.of(
              transactions.unmarkSpecial(edge),
              transactions.clear(SpecialFollower.key(followerId, followeeId)),
              transactions.replace(quota.unmarking(followeeId), 0));
      if (transactions.commit(writes).isEmpty()) {
        return true;
      }
      table.backoff().await(attempt);
    }
    throw new ThrottledException("The special follow at " + edge, 1, attempts());
  }

  /**
   * Makes quota and row say what the edge says, for whoever repairs the table. Costs what marking
   * does.
   *
   * @return whether it was tried with success, where there was anything to say it
   */
  public boolean mend(String followerId, String followeeId) {
    var quota = follows.quota(followerId);
    // Read after the quota: whoever marks or leaves in between changes its version.
    var edge = table.get(Follow.key(followerId, followeeId)).map(EDGE::mapToItem);
    var since = edge.map(Follow::specialSince);
    var row = SpecialFollower.key(followerId, followeeId);
    var writes = new ArrayList<TransactWriteItem>();
    if (since.isPresent()) {
      writes.add(transactions.markSpecial(edge.get().key(), since.get()));
      writes.add(transactions.put(new SpecialFollower(followerId, followeeId, since.get())));
      writes.add(transactions.replace(quota.marking(followeeId), 0));
    } else {
      writes.add(transactions.clear(row));
      if (quota.version() > 0) {
        writes.add(transactions.replace(quota.unmarking(followeeId), 0));
      }
    }
    return transactions.commit(writes).isEmpty();
  }

  private int attempts() {
    return table.backoff().attempts();
  }
}
