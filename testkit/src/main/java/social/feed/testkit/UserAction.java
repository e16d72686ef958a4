package social.feed.testkit;

import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * What somebody does in a day, how often, and what it costs in request units: one figure each.
 * Tests measure both parts, and the table of costs in {@code docs/operations.md} is made from them.
 *
 * <p>Everybody here blocks somebody and mutes somebody: the local engine takes nothing for a query
 * that finds nothing, which the service bills.
 */
public enum UserAction {
  /**
   * A page of 20 posts by 10 authors, which nobody read lately, whose authors were shown before.
   */
  PAGE(
      "reads a page of the home feed: 20 posts by 10 authors, none hot",
      8,
      units(40, 0),
      ConsumedUnits.NONE),

  /** The same after a follow or unfollow, when each author's edge is looked at anew. */
  PAGE_AFRESH("reads one after a follow or unfollow", 2, units(50, 0), ConsumedUnits.NONE),

  LIKE("likes a post", 10, units(4, 2), units(4.5, 3)),

  COMMENT("comments on a post", 2, units(4, 1), units(4.5, 3)),

  /** Of somebody who has written at least 20 posts, which come into the feed. */
  FOLLOW("follows somebody, whose newest 20 posts are brought", 1, units(5, 6), units(27, 50)),

  /** With one tag and a key against doubles, for a hundred followers who all read. */
  POST("writes a post with a tag, for 100 followers who read", 1, units(2, 6), units(119.5, 212));

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

  /** Such as "likes a post". */
  public String does() {
    return does;
  }

  /** How often, by somebody who uses the platform every day. */
  public int timesADay() {
    return timesADay;
  }

  /** What the request costs. */
  public ConsumedUnits request() {
    return request;
  }

  /** What its effects cost behind the stream, when nothing else happens in the same batch. */
  public ConsumedUnits behind() {
    return behind;
  }
}
