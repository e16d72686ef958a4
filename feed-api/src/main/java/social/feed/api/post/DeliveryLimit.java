package social.feed.api.post;

import jakarta.inject.Singleton;
import java.time.InstantSource;
import social.feed.api.edge.cache.SharedCache;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.rate.Buckets;
import social.feed.api.edge.rate.Refill;
import social.feed.table.cost.CostFormulas;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.User;

/**
 * Limits how fast the posts of an author are delivered. A post to many followers costs the lane of
 * effects thousands of times what it costs the API, so the author is charged for it.
 */
@Singleton
final class DeliveryLimit {
  /** More than a delivery to 100 000 followers, above which posts are pulled by default. */
  private static final int DEBT = 400_000;

  private final DeliveryRate rate;
  private final Refill refill;
  private final Buckets buckets;

  DeliveryLimit(DeliveryRate rate, InstantSource clock, SharedCache shared) {
    this.rate = rate;
    this.refill = new Refill(rate.unitsPerSecond(), rate.burst(), DEBT);
    this.buckets = new Buckets("deliveries", refill, rate.authors(), clock, shared);
  }

  /**
   * Refuses a delivery while those before it exceed the rate.
   *
   * @throws ProblemException {@code rate_limited}
   */
  void require(User author) {
    var bucket = buckets.take(author.userId());
    if (!bucket.isAdmitted()) {
      throw new ProblemException(
          ProblemCode.RATE_LIMITED,
          "Deliveries of the caller's posts exceed %d request units a second"
              .formatted(rate.unitsPerSecond()),
          bucket.untilNext(refill));
    }
  }

  /**
   * Charges a delivery, or the withdrawal of one, as if all followers read their feeds.
   *
   * @param mode how the post is delivered, which a post keeps
   */
  void charge(FanOutMode mode, User author) {
    var units =
        mode == FanOutMode.PULL
            ? CostFormulas.pulledPost()
            : CostFormulas.delivery(Math.max(0, author.followersCount()));
    buckets.charge(author.userId(), Math.max(rate.unitsPerPost(), units.read() + units.write()));
  }
}
