package social.feed.table.graph;

import java.time.Instant;

/** How an unfollow ended. */
public sealed interface UnfollowOutcome {
  /** There was an edge, and is none. */
  record Unfollowed() implements UnfollowOutcome {}

  /** The past was to stay, and the user keeps that of as many accounts as one may. */
  record KeepsTooMany() implements UnfollowOutcome {}

  /** There was none. */
  record NotFollowing() implements UnfollowOutcome {}

  /**
   * The follow is too young.
   *
   * @param from when it can be undone
   */
  record TooSoon(Instant from) implements UnfollowOutcome {}

  /**
   * The user has unfollowed as often as one may in a day.
   *
   * @param from when the next day begins
   */
  record TooManyToday(Instant from) implements UnfollowOutcome {}
}
