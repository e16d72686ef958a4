package social.feed.api.post;

import jakarta.inject.Singleton;
import java.time.InstantSource;
import social.feed.api.edge.cache.SharedCache;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.rate.Buckets;
import social.feed.api.edge.rate.Refill;
import social.feed.api.edge.rate.TokenBucket;
import social.feed.table.cost.CostFormulas;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.User;

/**
 * Limits how fast the posts of an author are delivered, and taken back. A post to many followers
 * costs the lane of effects thousands of times what it costs the API, and its deletion as much
 * again, so the author is charged for both: in two buckets, so that a post can be deleted right
 * after its delivery.
 */
@Singleton
final class DeliveryLimit {
  /** More than a delivery to 100 000 followers, above which posts are pulled by default. */
  private static final int DEBT = 400_000;

  private final DeliveryRate rate;
  private final Refill refill;
  private final Buckets buckets;
  private final Buckets withdrawals;

  DeliveryLimit(DeliveryRate rate, InstantSource clock, SharedCache shared) {
    this.rate = rate;
    this.refill = new Refill(rate.unitsPerSecond(), rate.burst(), DEBT);
    this.buckets = new Buckets("deliveries", refill, rate.authors(), clock, shared);
    this.withdrawals = new Buckets("withdrawals", refill, rate.authors(), clock, shared);
  }

  /**
   * Refuses a delivery while those before it exceed the rate.
   *
   * @throws ProblemException {@code rate_limited}
   */
  void require(User author) {
    require(buckets.take(author.userId()), "Deliveries of the caller's posts");
  }

  private void require(TokenBucket bucket, String what) {
    if (!bucket.isAdmitted()) {
      throw new ProblemException(
          ProblemCode.RATE_LIMITED,
          "%s exceed %d request units a second".formatted(what, rate.unitsPerSecond()),
          bucket.untilNext(refill));
    }
  }

  /**
   * Charges a delivery, or the withdrawal of one, as if all followers read their feeds.
   *
   * @param mode how the post is delivered, which a post keeps
   */
  void charge(FanOutMode mode, User author) {
    buckets.charge(author.userId(), Math.max(rate.unitsPerPost(), units(mode, author)));
  }

  /**
   * Charges a deletion as much as the delivery of a new post, without the least that a post counts
   * as. No one knows any more how the deleted post was delivered: those that an author wrote before
   * it became a celebrity count as pulled ones.
   *
   * @throws ProblemException {@code rate_limited} while the withdrawals of those before it exceed
   *     the rate
   */
  void chargeWithdrawal(User author) {
    require(withdrawals.take(author.userId()), "Deletions of the caller's posts");
    withdrawals.charge(author.userId(), units(FanOutMode.of(author), author));
  }

  private static double units(FanOutMode mode, User author) {
    var units =
        mode == FanOutMode.PULL
            ? CostFormulas.pulledPost()
            : CostFormulas.delivery(Math.max(0, author.followersCount()));
    return units.read() + units.write();
  }
}
