package social.feed.table.row;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How many accounts a user follows: {@code USER#<id> / QUOTA}. Written in one transaction with each
 * edge, so it is exact and can hold the cap and the pace.
 *
 * @param userId the follower
 * @param following how many edges the user has
 * @param version grows by one with each change; guards the copy in the {@link User}
 * @param day of UTC to which the two numbers belong, absent while nobody limits them
 * @param follows of that day
 * @param unfollows of that day
 * @param special whom the user follows specially, in the order in which that was said; absent for
 *     nobody. It is here since every change of an edge writes the quota: so it can hold a cap, and
 *     is read in one call
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

  /** One whose pace nobody limits. */
  public FollowQuota(String userId, long following, long version) {
    this(userId, following, version, null, 0, 0, null);
  }

  public static Key key(String userId) {
    return new Key(Keys.user(userId), SORT);
  }

  /** The quota of somebody who never followed anybody. */
  public static FollowQuota none(String userId) {
    return new FollowQuota(userId, 0, 0);
  }

  /** The quota after some edges more, or fewer. */
  public FollowQuota plus(long edges) {
    return corrected(Math.max(0, following + edges), version + 1);
  }

  /** The quota with another number of edges. */
  public FollowQuota corrected(long edges, long newVersion) {
    return new FollowQuota(userId, edges, newVersion, day, follows, unfollows, special);
  }

  /**
   * The quota with the numbers of the day of a time, which are none where it is another day. What
   * was stamped just before midnight and is written after something of the new day counts for that
   * one: the day before must not come back and take its numbers away.
   */
  public FollowQuota on(Instant now) {
    var today = now.truncatedTo(ChronoUnit.DAYS);
    var tomorrow = today.plus(1, ChronoUnit.DAYS);
    return today.equals(day) || tomorrow.equals(day)
        ? this
        : new FollowQuota(userId, following, version, today, 0, 0, special);
  }

  /** The quota with one more follow of its day. */
  public FollowQuota followedOnce() {
    return new FollowQuota(userId, following, version, day, follows + 1, unfollows, special);
  }

  /** The quota with one more unfollow of its day. */
  public FollowQuota unfollowedOnce() {
    return new FollowQuota(userId, following, version, day, follows, unfollows + 1, special);
  }

  /** Whom the user follows specially. */
  public List<String> specials() {
    return special == null ? List.of() : special;
  }

  /** The quota with an account more that is followed specially. */
  public FollowQuota marking(String followeeId) {
    return specials().contains(followeeId)
        ? this
        : with(Stream.concat(specials().stream(), Stream.of(followeeId)).toList());
  }

  /** The quota without an account that is followed specially; it may not have been. */
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
