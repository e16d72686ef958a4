package social.feed.table.graph;

import java.time.Instant;

/** How an unfollow ended. */
public sealed interface UnfollowOutcome {
  /** The edge was deleted. */
  record Unfollowed() implements UnfollowOutcome {}

  /** Posts should stay, but the user retains those of as many accounts as are allowed. */
  record KeepsTooMany() implements UnfollowOutcome {}

  /** There was no edge. */
  record NotFollowing() implements UnfollowOutcome {}

  /**
   * The follow is too recent.
   *
   * @param from when the user can undo it
   */
  record TooSoon(Instant from) implements UnfollowOutcome {}

  /**
   * The user has used up the unfollows of the day.
   *
   * @param from when the next day begins
   */
  record TooManyToday(Instant from) implements UnfollowOutcome {}

  /**
   * An operator slows the user down, who has used up the few unfollows of the day.
   *
   * @param from when the user may go on
   */
  record SlowedDown(Instant from) implements UnfollowOutcome {}
}
