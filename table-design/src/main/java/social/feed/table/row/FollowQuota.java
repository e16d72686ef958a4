package social.feed.table.row;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How many accounts a user follows: {@code USER#<id> / QUOTA}. It is written in one transaction
 * with each edge, so it is exact and can enforce the cap and the rate limit.
 *
 * @param userId the follower
 * @param following number of the user's edges
 * @param version grows by one with each change; guards the copy in the {@link User}
 * @param day the UTC day of the two numbers that follow, absent while no limit applies to them
 * @param follows follows of that day
 * @param unfollows unfollows of that day
 * @param special the accounts that the user follows specially, oldest first; absent when there are
 *     none. They are here because every change of an edge writes the quota: the quota can enforce a
 *     cap, and one call reads all of them
 */
@StoredAs(RowKind.FOLLOW_QUOTA)
public record FollowQuota(
    String userId,
    long following,
    long version,
    @Nullable Instant day,
    long follows,
    long unfollows,
    @Nullable List<String> special)
    implements Row {
  public static final String VERSION = "version";

  private static final String SORT = "QUOTA";

  public FollowQuota {
    special = special == null || special.isEmpty() ? null : List.copyOf(special);
  }

  /** Creates a quota without a rate limit. */
  public FollowQuota(String userId, long following, long version) {
    this(userId, following, version, null, 0, 0, null);
  }

  public static Key key(String userId) {
    return new Key(Keys.user(userId), SORT);
  }

  /** Returns the quota of a user who never followed an account. */
  public static FollowQuota none(String userId) {
    return new FollowQuota(userId, 0, 0);
  }

  /**
   * Returns the quota after a change of the number of edges.
   *
   * @param edges positive for more, negative for fewer
   */
  public FollowQuota plus(long edges) {
    return corrected(Math.max(0, following + edges), version + 1);
  }

  /** Returns the quota with another number of edges. */
  public FollowQuota corrected(long edges, long newVersion) {
    return new FollowQuota(userId, edges, newVersion, day, follows, unfollows, special);
  }

  /**
   * Returns the quota with the numbers of a day, which are zero when it holds another day. A
   * request that got its time just before midnight and is written after one of the new day counts
   * for the new day. The previous day must not return and reset the new day's numbers.
   *
   * @param now the time whose day counts
   */
  public FollowQuota on(Instant now) {
    var today = now.truncatedTo(ChronoUnit.DAYS);
    var tomorrow = today.plus(1, ChronoUnit.DAYS);
    return today.equals(day) || tomorrow.equals(day)
        ? this
        : new FollowQuota(userId, following, version, today, 0, 0, special);
  }

  /** Returns the quota with one more follow of its day. */
  public FollowQuota followedOnce() {
    return new FollowQuota(userId, following, version, day, follows + 1, unfollows, special);
  }

  /** Returns the quota with one more unfollow of its day. */
  public FollowQuota unfollowedOnce() {
    return new FollowQuota(userId, following, version, day, follows, unfollows + 1, special);
  }

  /** Returns the accounts that the user follows specially. */
  public List<String> specials() {
    return special == null ? List.of() : special;
  }

  /** Returns the quota with one more account that is followed specially. */
  public FollowQuota marking(String followeeId) {
    return specials().contains(followeeId)
        ? this
        : with(Stream.concat(specials().stream(), Stream.of(followeeId)).toList());
  }

  /** Returns the quota without an account that is followed specially, unchanged when it is not. */
  public FollowQuota unmarking(String followeeId) {
    return with(specials().stream().filter(id -> !id.equals(followeeId)).toList());
  }

  private FollowQuota with(List<String> specials) {
    return new FollowQuota(userId, following, version, day, follows, unfollows, specials);
  }

  @Override
  public Key key() {
    return key(userId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Stream.concat(Stream.of(userId), specials().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<Key> parents() {
    return List.of(User.key(userId));
  }
}
