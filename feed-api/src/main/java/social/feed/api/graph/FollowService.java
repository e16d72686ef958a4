package social.feed.api.graph;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.rate.DeliveryLimit;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.UnfollowOutcome.KeepsTooMany;
import social.feed.table.graph.UnfollowOutcome.NotFollowing;
import social.feed.table.graph.UnfollowOutcome.SlowedDown;
import social.feed.table.graph.UnfollowOutcome.TooManyToday;
import social.feed.table.graph.UnfollowOutcome.TooSoon;
import social.feed.table.graph.UnfollowOutcome.Unfollowed;
import social.feed.table.row.Follow;
import social.feed.table.row.User;

/** Follows and unfollows. */
@Singleton
final class FollowService {
  private final AccountLookup accounts;
  private final FollowWriter writes;
  private final QuotaTurns turns;
  private final DeliveryLimit deliveries;
  private final InstantSource clock;

  FollowService(
      AccountLookup accounts,
      FollowWriter writes,
      QuotaTurns turns,
      DeliveryLimit deliveries,
      InstantSource clock) {
    this.accounts = accounts;
    this.deliveries = deliveries;
    this.writes = writes;
    this.turns = turns;
    this.clock = clock;
  }

  /**
   * Follows an account. Three read units and six write units, two more of each for a caller who may
   * be in blocks. A repeat changes nothing.
   */
  void follow(Viewer viewer, String followeeId) {
    if (viewer.userId().equals(followeeId)) {
      throw new ProblemException(ProblemCode.SELF_FOLLOW, "An account cannot follow itself");
    }
    accounts.caller(viewer);
    var followee = accounts.account(followeeId);
    Instant now = now();
    Follow edge = Follow.requested(viewer.userId(), followee, now);
    switch (turns.take(viewer.userId(), () -> writes.follow(edge))) {
      case FOLLOWED, ALREADY_FOLLOWING -> {}
      case CAP_REACHED ->
          throw new ProblemException(
              ProblemCode.FOLLOW_CAP_REACHED, "The caller follows the maximum number of accounts");
      case TOO_MANY_TODAY ->
          throw new ProblemException(
              ProblemCode.TOO_MANY_FOLLOWS,
              "The caller has reached the limit of follows for today",
              Duration.between(now, FollowRateLimit.nextDay(now)));
      case SLOWED_DOWN -> throw slowedDown(now, endOfSlowDown(viewer, now));
      case BLOCKED ->
          throw new ProblemException(
              ProblemCode.BLOCKED, "The caller blocks the account, or is blocked by it");
    }
  }

  /**
   * Unfollows an account. A repeat changes nothing, also where the account is gone. Five read units
   * and six write units; two more write units to retain the posts until now, or to end retaining
   * them, and a read unit less. What it takes out of the caller's feed is charged before.
   *
   * @throws ProblemException {@code rate_limited} by {@link DeliveryLimit}
   */
  void unfollow(Viewer viewer, String followeeId, boolean keepHistory) {
    User caller = accounts.caller(viewer);
    Instant now = now();
    String callerId = viewer.userId();
    // The edge to an account that is being erased can be there longer than the account.
    Runnable admission =
        keepHistory
            ? () -> {}
            : () ->
                accounts
                    .find(followeeId)
                    .ifPresent(followee -> deliveries.chargeUnfollow(caller, followee));
    switch (turns.take(
        callerId, () -> writes.leave(callerId, followeeId, keepHistory, now, admission))) {
      case Unfollowed _ -> {}
      case NotFollowing _ -> accounts.account(followeeId);
      case TooSoon(Instant from) ->
          throw new ProblemException(
              ProblemCode.FOLLOWED_TOO_RECENTLY,
              "The caller followed this account too recently to unfollow it",
              Duration.between(now, from));
      case KeepsTooMany _ ->
          throw new ProblemException(
              ProblemCode.KEPT_CAP_REACHED,
              "The caller keeps the posts of the maximum number of unfollowed accounts");
      case TooManyToday(Instant from) ->
          throw new ProblemException(
              ProblemCode.TOO_MANY_UNFOLLOWS,
              "The caller has reached the limit of unfollows for today",
              Duration.between(now, from));
      case SlowedDown(Instant from) -> throw slowedDown(now, from);
    }
  }

  /** The refused follow has read the quota, but its outcome does not hold it: one read unit. */
  private static Instant endOfSlowDown(Viewer viewer, Instant now) {
    return FollowRateLimit.endOfSlowDown(viewer.quota(), now);
  }

  private static ProblemException slowedDown(Instant now, Instant from) {
    return new ProblemException(
        ProblemCode.FOLLOWS_SLOWED_DOWN,
        "The caller may follow and unfollow few accounts a day for some time",
        Duration.between(now, from));
  }

  /**
   * Ends a follow of the caller by another account. A repeat changes nothing, also where the
   * account is gone. Four read units and six write units. There is no limit a day. What it takes
   * out of the follower's feed is charged before, also where there is no such follow.
   *
   * @throws ProblemException {@code rate_limited} by {@link DeliveryLimit}
   */
  void remove(Viewer viewer, String followerId) {
    deliveries.chargeRemoval(accounts.caller(viewer));
    if (!turns.take(followerId, () -> writes.unfollow(followerId, viewer.userId()))) {
      accounts.account(followerId);
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
