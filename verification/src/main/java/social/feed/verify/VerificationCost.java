package social.feed.verify;

import java.util.Map;
import java.util.function.ToLongFunction;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.row.RowKind;

/**
 * What a {@link Verification} reads because of a row. {@code ITVerificationCost} compares each
 * figure with the units that a model of AWS's rules computes, and {@code ./feed plan} computes with
 * them.
 *
 * <p>The walk reads each row once. The checks read rows related to it by their keys, one unit each;
 * rows of one partition share some of these. The counts then read some rows a second time. A count
 * of nothing costs its query, which is that of the row with the number.
 *
 * <p>Left out are mentions, special follows, blocks, mutes, files and webhooks, the erasures of
 * accounts that rows name and that are absent, and the uses of tags: for each page of the walk, one
 * query of the posts of each tag and hour of the last two days.
 *
 * @param ofRow read units by key and for empty counts, for each row
 * @param ofPartition read units that the rows of a partition share
 * @param counted how often counts read the row again in the table, strongly consistent
 * @param countedIn how often counts read its entry of an index again, eventually consistent
 */
public record VerificationCost(
    double ofRow, double ofPartition, int counted, Map<Index, Integer> countedIn) {
  private static final double READ_BYTES = 4_096;

  private VerificationCost(double ofRow, double ofPartition, int counted) {
    this(ofRow, ofPartition, counted, Map.of());
  }

  /**
   * Returns the cost of a row of a kind.
   *
   * @throws IllegalArgumentException for a kind whose cost is not declared
   */
  public static VerificationCost of(RowKind kind) {
    return switch (kind) {
      // Erasure, claim, quota and registry by key, itself as a parent, and five queries.
      case USER -> new VerificationCost(8, 0, 0);
      case HANDLE_CLAIM -> new VerificationCost(2, 0, 0);
      // What they refer to is read for their account already.
      case FOLLOW_QUOTA, ACTIVITY -> new VerificationCost(0, 0, 0);
      // The query of its count, and itself and the account for its unread notifications.
      case INBOX -> new VerificationCost(3, 0, 0);
      case NOTIFICATION -> new VerificationCost(1, 0, 1);
      // Erasure, account and its author's entry by key, itself as a parent, and two queries.
      case POST -> new VerificationCost(6, 0, 0, Map.of(Index.POSTS_BY_AUTHOR, 2));
      case POST_TAG -> new VerificationCost(2, 0, 0);
      // The erasure and the account of who wrote it.
      case LIKE, COMMENT -> new VerificationCost(2, 0, 1);
      // The follower's erasure, account and activity. For all followers those of the followee, and
      // the followee's posts.
      case FOLLOW ->
          new VerificationCost(3, 2.5, 1, Map.of(Index.FOLLOWING, 2, Index.FOLLOWERS, 1));
      // The reader's erasure, the edge, and the entry itself because of the edge. For all entries
      // the post and its author's erasure.
      case FEED_ENTRY -> new VerificationCost(3, 2, 0);
      // Erasure and itself by key, and the queries of the month and of its count.
      case TOP_AUTHOR -> new VerificationCost(3, 0, 0);
      case FAN_OUT_CHUNK -> new VerificationCost(2, 0, 0);
      case IDEMPOTENCY_RECORD, PULLED_AUTHOR -> new VerificationCost(1, 0, 0);
      case EFFECT_MARK, FAN_OUT_PLAN -> new VerificationCost(0, 0, 0);
      default ->
          throw new IllegalArgumentException("The cost to verify " + kind + " is not declared");
    };
  }

  /**
   * Returns the read units of some rows, with the walk.
   *
   * @param rows their number
   * @param partitions the partitions that hold them
   * @param bytes the size of a row
   * @param bytesIn the size of its entry of an index
   */
  public double units(double rows, double partitions, long bytes, ToLongFunction<Index> bytesIn) {
    double read = (1.0 + counted) * bytes / READ_BYTES;
    for (var index : countedIn.entrySet()) {
      read += index.getValue() * bytesIn.applyAsLong(index.getKey()) / (2 * READ_BYTES);
    }
    return rows * (ofRow + read) + partitions * ofPartition;
  }
}
