package social.feed.table.row;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.id.Sha256;

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
 * @param unrelatedVersion the version in which no block and no mute names the user, of either side;
 *     another version, or none, where there may be some. So a writer that only raises the version
 *     invalidates it
 * @param followeesHash the sum of the hashes of all followed accounts, modulo 2^64, which proves a
 *     list of them; absent in quotas that were written before it existed
 * @param blocked edges of the user that blocks by the followed accounts ended on that day; absent
 *     for none
 * @param slowedUntil until when an operator allows the user few follows and unfollows, exclusive;
 *     absent for a user who was never slowed down
 */
@StoredAs(RowKind.FOLLOW_QUOTA)
public record FollowQuota(
    String userId,
    long following,
    long version,
    @Nullable Instant day,
    long follows,
    long unfollows,
    @Nullable List<String> special,
    @Nullable Long unrelatedVersion,
    @Nullable Long followeesHash,
    @Nullable Long blocked,
    @Nullable Instant slowedUntil)
    implements Row {
  public static final String VERSION = "version";

  private static final String SORT = "QUOTA";

  public FollowQuota {
    special = special == null || special.isEmpty() ? null : List.copyOf(special);
  }

  /** Creates a quota of a user whom no one answered with a block and whom no operator slowed. */
  public FollowQuota(
      String userId,
      long following,
      long version,
      @Nullable Instant day,
      long follows,
      long unfollows,
      @Nullable List<String> special,
      @Nullable Long unrelatedVersion,
      @Nullable Long followeesHash) {
    this(
        userId,
        following,
        version,
        day,
        follows,
        unfollows,
        special,
        unrelatedVersion,
        followeesHash,
        null,
        null);
  }

  /** Creates a quota without a rate limit, of a user who may be in blocks. */
  public FollowQuota(String userId, long following, long version) {
    this(userId, following, version, null, 0, 0, null, null, null);
  }

  public static Key key(String userId) {
    return new Key(Keys.user(userId), SORT);
  }

  /** Returns the quota of a user who never followed an account and never was in a block. */
  public static FollowQuota none(String userId) {
    return new FollowQuota(userId, 0, 0, null, 0, 0, null, 0L, 0L);
  }

  /** Returns the next version for a change of something other than the number of edges. */
  public FollowQuota next() {
    return next(following, followeesHash);
  }

  /** Returns the next version with more edges. */
  public FollowQuota following(Collection<String> followeeIds) {
    return next(
        following + followeeIds.size(),
        followeesHash == null ? null : followeesHash + hash(followeeIds));
  }

  /** Returns the next version with one edge less. */
  public FollowQuota unfollowing(String followeeId) {
    return next(
        Math.max(0, following - 1),
        followeesHash == null ? null : followeesHash - hash(List.of(followeeId)));
  }

  private FollowQuota next(long edges, @Nullable Long hash) {
    return new FollowQuota(
        userId,
        edges,
        version + 1,
        day,
        follows,
        unfollows,
        special,
        isUnrelated() ? version + 1 : null,
        edges == 0 ? Long.valueOf(0) : hash,
        blocked,
        slowedUntil);
  }

  /**
   * Returns the quota with a number of edges that was counted. Nothing else is known about the
   * edges, nor about blocks.
   */
  public FollowQuota corrected(long edges, long newVersion) {
    return new FollowQuota(
        userId,
        edges,
        newVersion,
        day,
        follows,
        unfollows,
        special,
        null,
        null,
        blocked,
        slowedUntil);
  }

  /** Returns the quota of a user who may be in blocks or have mutes from now on. */
  public FollowQuota related() {
    return new FollowQuota(
        userId,
        following,
        version,
        day,
        follows,
        unfollows,
        special,
        null,
        followeesHash,
        blocked,
        slowedUntil);
  }

  /** Whether no block and no mute names the user, of either side. */
  public boolean isUnrelated() {
    return unrelatedVersion != null && unrelatedVersion == version;
  }

  /** Whether a list of followed accounts is certainly the one of this version. */
  public boolean isListedBy(Set<String> followeeIds) {
    return followeesHash != null
        && following == followeeIds.size()
        && followeesHash == hash(followeeIds);
  }

  private static long hash(Collection<String> followeeIds) {
    var digest = Sha256.begin();
    return followeeIds.stream()
        .mapToLong(
            id -> ByteBuffer.wrap(digest.digest(id.getBytes(StandardCharsets.UTF_8))).getLong())
        .sum();
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
    return today.equals(day) || tomorrow.equals(day) ? this : with(today, 0, 0, null);
  }

  /** Returns the quota with one more follow of its day. */
  public FollowQuota followedOnce() {
    return with(day, follows + 1, unfollows, blocked);
  }

  /** Returns the quota with one more unfollow of its day. */
  public FollowQuota unfollowedOnce() {
    return with(day, follows, unfollows + 1, blocked);
  }

  /**
   * Returns the quota with one more edge of its day that a block by the followed account ended. A
   * quota without a day has no such number.
   */
  public FollowQuota blockedOnce() {
    return day == null ? this : with(day, follows, unfollows, blockedToday() + 1);
  }

  /** Returns how many edges blocks by the followed accounts ended on the day of the quota. */
  public long blockedToday() {
    return blocked == null ? 0 : blocked;
  }

  /** Whether an operator allows the user few follows and unfollows at a time. */
  public boolean isSlowedAt(Instant time) {
    return slowedUntil != null && time.isBefore(slowedUntil);
  }

  /**
   * Returns the next version, with few follows and unfollows until a time.
   *
   * @param until null to end it
   */
  public FollowQuota slowed(@Nullable Instant until) {
    var next = next();
    return new FollowQuota(
        userId,
        following,
        next.version,
        day,
        follows,
        unfollows,
        special,
        next.unrelatedVersion,
        next.followeesHash,
        blocked,
        until);
  }

  private FollowQuota with(
      @Nullable Instant of, long followed, long unfollowed, @Nullable Long answered) {
    return new FollowQuota(
        userId,
        following,
        version,
        of,
        followed,
        unfollowed,
        special,
        unrelatedVersion,
        followeesHash,
        answered,
        slowedUntil);
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
    return new FollowQuota(
        userId,
        following,
        version,
        day,
        follows,
        unfollows,
        specials,
        unrelatedVersion,
        followeesHash,
        blocked,
        slowedUntil);
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
