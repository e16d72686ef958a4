package social.feed.table.graph;

import static social.feed.table.graph.FollowQuotas.unchanged;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Instant;
import java.util.Optional;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Follow;
import social.feed.table.row.SpecialFollower;

/**
 * Changes which follows are special. Three places say so: the edge, the follower's quota and a row
 * next to the followee's edges. One transaction writes all three on condition of the quota's
 * version, as every end of an edge does. So of a mark and a concurrent unfollow one is rejected and
 * reads again, and none of the three outlives the edge.
 */
public final class SpecialFollowWriter {
  private static final RecordSchema<Follow> EDGE = RecordSchema.of(Follow.class);

  private final Table table;
  private final FollowQuotas quotas;
  private final int cap;

  /**
   * @param cap the most accounts that one user may follow specially
   */
  public SpecialFollowWriter(Table table, int cap) {
    this.table = table;
    this.quotas = new FollowQuotas(table);
    this.cap = cap;
  }

  /**
   * Makes a follow special; a repeat changes nothing. Two read units and six write units: two each
   * for edge, quota and row, as the edge's indexes do not show it.
   *
   * @throws ThrottledException when concurrent writes keep changing the same quota
   */
  public SpecialFollowOutcome mark(String followerId, String followeeId, Instant now) {
    var edge = Follow.key(followerId, followeeId);
    return table
        .retry()
        .until(
            "The special follow at " + edge,
            () -> {
              var quota = quotas.of(followerId);
              if (quota.specials().contains(followeeId)) {
                return Optional.of(SpecialFollowOutcome.DONE);
              }
              if (table.get(edge).isEmpty()) {
                return Optional.of(SpecialFollowOutcome.NOT_FOLLOWING);
              }
              if (quota.specials().size() >= cap) {
                return Optional.of(SpecialFollowOutcome.CAP_REACHED);
              }
              var outcome =
                  table
                      .transaction()
                      .update(edge, new Update().set(Follow.SPECIAL_SINCE, now), present())
                      .put(new SpecialFollower(followerId, followeeId, now))
                      .put(quota.marking(followeeId).next(), unchanged(quota))
                      .commit();
              return outcome.isDone() ? Optional.of(SpecialFollowOutcome.DONE) : Optional.empty();
            });
  }

  /**
   * Makes a special follow a plain one. One read unit and six write units.
   *
   * @return whether it was special
   * @throws ThrottledException when concurrent writes keep changing the same quota
   */
  public boolean unmark(String followerId, String followeeId) {
    var edge = Follow.key(followerId, followeeId);
    return table
        .retry()
        .until(
            "The special follow at " + edge,
            () -> {
              var quota = quotas.of(followerId);
              if (!quota.specials().contains(followeeId)) {
                return Optional.of(false);
              }
              var outcome =
                  table
                      .transaction()
                      .update(edge, new Update().remove(Follow.SPECIAL_SINCE), present())
                      .delete(SpecialFollower.key(followerId, followeeId))
                      .put(quota.unmarking(followeeId).next(), unchanged(quota))
                      .commit();
              return outcome.isDone() ? Optional.of(true) : Optional.empty();
            });
  }

  /**
   * Repairs a special follow: quota and row then say what the edge says. Costs as marking does.
   *
   * @return whether the repair was written; false where a concurrent write came first
   */
  public boolean repair(String followerId, String followeeId) {
    var quota = quotas.of(followerId);
    // Read after the quota: a concurrent mark or unfollow changes the quota's version.
    var edge = table.get(Follow.key(followerId, followeeId)).map(EDGE::mapToItem);
    var since = edge.map(Follow::specialSince);
    var transaction = table.transaction();
    if (since.isPresent()) {
      transaction
          .update(edge.get().key(), new Update().set(Follow.SPECIAL_SINCE, since.get()), present())
          .put(new SpecialFollower(followerId, followeeId, since.get()))
          .put(quota.marking(followeeId).next(), unchanged(quota));
    } else {
      transaction.delete(SpecialFollower.key(followerId, followeeId));
      if (quota.version() > 0) {
        transaction.put(quota.unmarking(followeeId).next(), unchanged(quota));
      }
    }
    return transaction.commit().isDone();
  }
}
