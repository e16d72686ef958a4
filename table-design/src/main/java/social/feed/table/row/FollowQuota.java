package social.feed.table.row;

/**
 * How many accounts a user follows: {@code USER#<id> / QUOTA}. Written in one transaction with each
 * edge, so it is exact and can hold the cap.
 *
 * @param userId the follower
 * @param following how many edges the user has
 * @param version grows by one with each change; guards the copy in the {@link User}
 */
public record FollowQuota(String userId, long following, long version) implements Row {
  public static final String VERSION = "version";

  private static final String SORT = "QUOTA";

  public static Key key(String userId) {
    return new Key(Keys.user(userId), SORT);
  }

  /** The quota of somebody who never followed anybody. */
  public static FollowQuota none(String userId) {
    return new FollowQuota(userId, 0, 0);
  }

  /** The quota after some edges more, or fewer. */
  public FollowQuota plus(long edges) {
    return new FollowQuota(userId, Math.max(0, following + edges), version + 1);
  }

  @Override
  public Key key() {
    return key(userId);
  }
}
