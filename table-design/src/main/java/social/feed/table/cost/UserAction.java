package social.feed.table.cost;

import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * A user's action, its daily frequency, and its cost in request units, with one figure for each.
 * Tests measure the cost of the request and of its effects. The table of costs in {@code
 * docs/operations.md} is generated from both, and {@code ./feed plan} computes with them.
 *
 * <p>The users have no blocks and no mutes, as nearly all users. What grows with a size is in
 * {@link CostFormulas}; the constants here state the sizes of an action.
 */
public enum UserAction {
  /** A page of 20 posts by 10 authors, not cached. */
  PAGE(
      "reads a page of the home feed: 20 posts by 10 authors, none cached",
      8,
      units(18, 0),
      Effects.NONE),

  /** The same page after a follow or unfollow, when the list of followed accounts is read again. */
  PAGE_AFTER_FOLLOW("reads a page after a follow or unfollow", 2, units(18.5, 0), Effects.NONE),

  /** What the first page of a day costs more. */
  FIRST_PAGE_OF_A_DAY("reads the first page of a day, in addition", 1, units(1, 1), Effects.NONE),

  /** What the first page of an hour costs more on each server. */
  FIRST_PAGE_OF_AN_HOUR(
      "reads the first page of an hour on a server, in addition", 3, units(1, 0), Effects.NONE),

  VIEW_POST("views a post", 3, units(3, 0), Effects.NONE),

  VIEW_PROFILE("views a profile", 2, units(2, 0), Effects.NONE),

  /** Accounts that are not cached, of a list with more of them. */
  LIST(
      "reads a page of 20 followers or followed accounts",
      1,
      CostFormulas.followList(Long.MAX_VALUE),
      Effects.NONE),

  UNREAD_COUNT("reads the number of unread notifications", 10, units(1, 0), Effects.NONE),

  /** Notifications from ten accounts that are not cached. */
  NOTIFICATIONS("reads a page of 20 notifications", 2, units(5.5, 0), Effects.NONE),

  READ_ALL(
      "marks 20 notifications as read",
      1,
      units(0, 1),
      new Effects(CostFormulas.readAll(CostFormulas.MARKED), CostFormulas.MARKED, 2)),

  LIKE("likes a post", 10, units(3.5, 3), new Effects(units(5, 4), 2, 1)),

  COMMENT("comments on a post", 2, units(3.5, 2), new Effects(units(5, 4), 2, 1)),

  /** The followee has at least 20 posts, which the backfill writes to the feed. */
  FOLLOW(
      "follows an account; the backfill writes its newest 20 posts",
      1,
      units(3, 6),
      new Effects(CostFormulas.follow(CostFormulas.BACKFILL), 2, 2)),

  /** The author wrote 20 posts in the last 91 days, all in the feed. */
  UNFOLLOW(
      "unfollows an account with 20 posts in the feed",
      0,
      units(5, 6),
      new Effects(CostFormulas.unfollow(CostFormulas.BACKFILL), 2, 2)),

  /** The post has one tag and an idempotency key, and 100 followers who all read their feeds. */
  POST(
      "writes a post with a tag, for 100 followers who read",
      1,
      units(2, 5),
      new Effects(CostFormulas.delivery(CostFormulas.FOLLOWERS).plus(CostFormulas.tags(1)), 2, 1)),

  REGISTER("registers", 0, units(0, 6), Effects.NONE);

  private final String does;
  private final int timesADay;
  private final ConsumedUnits request;
  private final Effects effects;

  /**
   * What an action causes behind the stream, in batches without other records, until nothing
   * follows.
   *
   * @param units the request units of both lanes
   * @param counts the records that the lane of counts receives
   * @param effects the records that the lane of effects receives
   */
  public record Effects(ConsumedUnits units, int counts, int effects) {
    static final Effects NONE = new Effects(ConsumedUnits.NONE, 0, 0);
  }

  UserAction(String does, int timesADay, ConsumedUnits request, Effects effects) {
    this.does = does;
    this.timesADay = timesADay;
    this.request = request;
    this.effects = effects;
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

  /** Returns the cost of the effects behind the stream, in batches without other records. */
  public ConsumedUnits behind() {
    return effects.units();
  }

  /** Returns what the action causes behind the stream. */
  public Effects effects() {
    return effects;
  }
}
