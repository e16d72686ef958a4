package social.feed.api.graph;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.UnfollowOutcome.KeepsTooMany;
import social.feed.table.graph.UnfollowOutcome.NotFollowing;
import social.feed.table.graph.UnfollowOutcome.TooManyToday;
import social.feed.table.graph.UnfollowOutcome.TooSoon;
import social.feed.table.graph.UnfollowOutcome.Unfollowed;
import social.feed.table.row.Follow;

/** Follows and unfollows. */
@Singleton
final class FollowService {
  private final AccountLookup members;
  private final FollowWriter writes;
  private final InstantSource clock;

  FollowService(AccountLookup members, FollowWriter writes, InstantSource clock) {
    this.members = members;
    this.writes = writes;
    this.clock = clock;
  }

  /** Five read units and six write units. A repeat changes nothing. */
  void follow(Viewer viewer, String followeeId) {
    if (viewer.userId().equals(followeeId)) {
      throw new ProblemException(ProblemCode.SELF_FOLLOW, "Nobody follows themselves");
    }
    members.caller(viewer);
    members.account(followeeId);
    Instant now = now();
    switch (writes.follow(Follow.of(viewer.userId(), followeeId, now))) {
      case FOLLOWED, ALREADY_FOLLOWING -> {}
      case CAP_REACHED ->
          throw new ProblemException(
              ProblemCode.FOLLOW_CAP_REACHED, "The caller follows as many accounts as one may");
      case TOO_MANY_TODAY ->
          throw new ProblemException(
              ProblemCode.TOO_MANY_FOLLOWS,
              "The caller has followed as often today as one may",
              Duration.between(now, FollowRateLimit.nextDay(now)));
      case BLOCKED ->
          throw new ProblemException(
              ProblemCode.BLOCKED, "The caller blocks the account, or is blocked by it");
    }
  }

  /**
   * Four read units and six write units, two more to keep the past or to end keeping it. A repeat
   * changes nothing, also where the account is gone.
   */
  void unfollow(Viewer viewer, String followeeId, boolean keepHistory) {
    members.caller(viewer);
    Instant now = now();
    switch (writes.leave(viewer.userId(), followeeId, keepHistory, now)) {
      case Unfollowed _ -> {}
      case NotFollowing _ -> members.account(followeeId);
      case TooSoon(Instant from) ->
          throw new ProblemException(
              ProblemCode.FOLLOWED_TOO_RECENTLY,
              "The caller followed this account too recently to unfollow it",
              Duration.between(now, from));
      case KeepsTooMany _ ->
          throw new ProblemException(
              ProblemCode.KEPT_CAP_REACHED,
              "The caller keeps the posts of as many unfollowed accounts as one may");
      case TooManyToday(Instant from) ->
          throw new ProblemException(
              ProblemCode.TOO_MANY_UNFOLLOWS,
              "The caller has unfollowed as often today as one may",
              Duration.between(now, from));
    }
  }

  /**
   * Ends a follow of the caller by somebody else, at any pace. Four read units and six write units.
   * A repeat changes nothing, also where the account is gone.
   */
  void remove(Viewer viewer, String followerId) {
    members.caller(viewer);
    if (!writes.unfollow(followerId, viewer.userId())) {
      members.account(followerId);
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
