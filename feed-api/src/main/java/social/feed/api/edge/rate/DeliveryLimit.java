package social.feed.api.edge.rate;

import jakarta.inject.Singleton;
import java.time.InstantSource;
import social.feed.api.edge.cache.SharedCache;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.cost.CostFormulas;
import social.feed.table.graph.Relationship;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.User;

/**
 * Limits how fast the posts of an author are delivered, and taken back. A post to many followers
 * costs the lane of effects thousands of times what it costs the API, and its deletion as much
 * again, so the author is charged for both: in two buckets, so that a post can be deleted right
 * after its delivery. Hiding a post, and removing a follower, take posts back as well. Private
 * posts have a third bucket.
 *
 * <p>The end of a follow takes the author's posts out of the follower's feed, so who ends it is
 * charged for these: in one bucket for unfollows, and in one for blocks, so that nothing but
 * earlier blocks of followers or followed accounts delays a block. A block of any other account is
 * never refused.
 */
@Singleton
public final class DeliveryLimit {
  /**
   * More than a delivery to 100 000 followers, above which posts are pulled by default. What costs
   * more, such as 100 000 special followers, is charged no more than this.
   */
  private static final int DEBT = 400_000;

  /** 22 a day for 91 days. */
  private static final int REMOVED_POSTS = 2_000;

  private final DeliveryRate rate;
  private final Refill refill;
  private final Buckets buckets;
  private final Buckets withdrawals;
  private final Buckets privatePosts;
  private final Buckets unfollows;
  private final Buckets blocks;

  DeliveryLimit(DeliveryRate rate, InstantSource clock, SharedCache shared) {
    this.rate = rate;
    this.refill = new Refill(rate.unitsPerSecond(), rate.burst(), DEBT);
    this.buckets = new Buckets("deliveries", refill, rate.authors(), clock, shared);
    this.withdrawals = new Buckets("withdrawals", refill, rate.authors(), clock, shared);
    this.privatePosts = new Buckets("private-posts", refill, rate.authors(), clock, shared);
    this.unfollows = new Buckets("unfollows", refill, rate.authors(), clock, shared);
    this.blocks = new Buckets("blocks", refill, rate.authors(), clock, shared);
  }

  /**
   * Charges a delivery as if all followers read their feeds. It is charged before it is made, so
   * that concurrent ones do not pass together, and also where the table then refuses the post.
   *
   * @param special the author's special followers, who are notified
   * @throws ProblemException {@code rate_limited} while those before it exceed the rate
   */
  public void chargeDelivery(FanOutMode mode, User author, long special) {
    take(
        buckets,
        Math.max(rate.unitsPerPost(), units(mode, author, special)),
        author,
        "Deliveries of the caller's posts");
  }

  /**
   * Charges a private post the least that a post counts as, in a bucket of its own. It is delivered
   * to no one, but the end of a follow reads all posts of the author, and must do so in one
   * invocation.
   *
   * @throws ProblemException {@code rate_limited} while those before it exceed the rate
   */
  public void chargePrivate(User author) {
    take(privatePosts, rate.unitsPerPost(), author, "Private posts of the caller");
  }

  /**
   * Charges a deletion, or the hiding of a post, as much as the delivery of a new post, without the
   * least that a post counts as.
   *
   * @param mode how the post was delivered. No one knows it any more of a deleted post: those that
   *     an author wrote before it became a celebrity count as pulled ones
   * @param special the author's special followers, whose notifications are retracted
   * @throws ProblemException {@code rate_limited} while the withdrawals of those before it exceed
   *     the rate
   */
  public void chargeWithdrawal(FanOutMode mode, User author, long special) {
    take(
        withdrawals,
        units(mode, author, special),
        author,
        "Posts that the caller deletes or hides");
  }

  /**
   * Charges the removal of a follower, whose feed loses the author's posts, like a withdrawal. The
   * posts are those of 91 days, which no row counts: all posts of the author count, up to 2 000.
   *
   * @throws ProblemException {@code rate_limited} while the withdrawals of those before it exceed
   *     the rate
   */
  public void chargeRemoval(User author) {
    take(withdrawals, endOfFollow(author), author, "Followers that the caller removes");
  }

  /**
   * Charges an unfollow, after which the caller's feed loses the posts of the followed account, as
   * much as a removal.
   *
   * @throws ProblemException {@code rate_limited} while those before it exceed the rate
   */
  public void chargeUnfollow(User caller, User followee) {
    take(unfollows, endOfFollow(followee), caller, "Unfollows of the caller");
  }

  /**
   * Charges a block for the follows that it ends, each as much as a removal. Without one, it costs
   * nothing and is not refused.
   *
   * @param between of the caller to the other account
   * @throws ProblemException {@code rate_limited} while those before it exceed the rate
   */
  public void chargeBlock(User caller, User other, Relationship between) {
    double units =
        (between.following() ? endOfFollow(other) : 0)
            + (between.followedBy() ? endOfFollow(caller) : 0);
    if (units > 0) {
      take(blocks, units, caller, "Blocks that end follows");
    }
  }

  private static double endOfFollow(User author) {
    return sum(CostFormulas.unfollow(Math.clamp(author.postsCount(), 0, REMOVED_POSTS)));
  }

  private void take(Buckets of, double units, User caller, String what) {
    TokenBucket bucket = of.take(caller.userId(), units);
    if (!bucket.isAdmitted()) {
      throw new ProblemException(
          ProblemCode.RATE_LIMITED,
          "%s exceed %d request units a second".formatted(what, rate.unitsPerSecond()),
          bucket.untilNext(refill));
    }
  }

  private static double units(FanOutMode mode, User author, long special) {
    var delivery =
        mode == FanOutMode.PULL
            ? CostFormulas.pulledPost()
            : CostFormulas.delivery(Math.max(0, author.followersCount()));
    return sum(delivery.plus(CostFormulas.specialFollowers(special)));
  }

  private static double sum(ConsumedUnits units) {
    return units.read() + units.write();
  }
}
