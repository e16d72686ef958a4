package social.feed.testkit;

import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * A user's action, its daily frequency, and its cost in request units, with one figure for each.
 * Tests measure the cost of the request and of its effects, and the table of costs in {@code
 * docs/operations.md} is generated from both.
 *
 * <p>The users have no blocks and no mutes, as nearly all users.
 */
public enum UserAction {
  /** A page of 20 posts by 10 authors, not cached. */
  PAGE(
      "reads a page of the home feed: 20 posts by 10 authors, none cached",
      8,
      units(18, 0),
      ConsumedUnits.NONE),

  /** The same page after a follow or unfollow, when the list of followed accounts is read again. */
  PAGE_AFTER_FOLLOW(
      "reads a page after a follow or unfollow", 2, units(18.5, 0), ConsumedUnits.NONE),

  LIKE("likes a post", 10, units(3.5, 3), units(4.5, 3)),

  COMMENT("comments on a post", 2, units(3.5, 2), units(4.5, 3)),

  /** The followee has at least 20 posts, which the backfill writes to the feed. */
  FOLLOW(
      "follows an account; the backfill writes its newest 20 posts", 1, units(3, 6), units(27, 50)),

  /** The post has one tag and an idempotency key, and 100 followers who all read their feeds. */
  POST("writes a post with a tag, for 100 followers who read", 1, units(2, 5), units(124, 213));

  private final String does;
  private final int timesADay;
  private final ConsumedUnits request;
  private final ConsumedUnits behind;

  UserAction(String does, int timesADay, ConsumedUnits request, ConsumedUnits behind) {
    this.does = does;
    this.timesADay = timesADay;
    this.request = request;
    this.behind = behind;
  }

  private static ConsumedUnits units(double read, double write) {
    return new ConsumedUnits(read, write);
  }

  /** Returns the action as a phrase, such as "likes a post". */
  public String does() {
    return does;
  }

  /** Returns how often a user who is active every day performs the action in a day. */
  public int timesADay() {
    return timesADay;
  }

  /** Returns the cost of the request. */
  public ConsumedUnits request() {
    return request;
  }

  /** Returns the cost of the effects behind the stream, in a batch without other records. */
  public ConsumedUnits behind() {
    return behind;
  }
}
