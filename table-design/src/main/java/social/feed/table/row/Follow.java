package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;

/**
 * A follow edge: {@code FOLLOWEE#<followee> / FOLLOWER#<follower>}, in GSI_FOL and GSI_FOLLOWING by
 * time.
 *
 * @param followerId the account that follows
 * @param followeeId the account that is followed
 * @param createdAt when the follow began
 * @param feedSince the oldest time of the followee's posts that the follower's feed must hold; set
 *     by the backfill, absent until then
 * @param feedRetriedAt when a backfill that had begun earlier was last retried
 * @param silent whether the edge causes no notification, but counts and feeds as any other: it was
 *     imported, or the followee was a celebrity
 * @param specialSince when the special follow began, absent for any other edge; {@link
 *     SpecialFollower} holds the same from the followee's side
 */
@StoredAs(RowKind.FOLLOW)
public record Follow(
    String followerId,
    String followeeId,
    Instant createdAt,
    @Nullable Instant feedSince,
    @Nullable Instant feedRetriedAt,
    boolean silent,
    @Nullable Instant specialSince)
    implements Row, NotificationSource {
  /**
   * How many of the followee's posts a backfill adds to a new follower's feed, unless configured
   * otherwise.
   */
  public static final int NEWEST = 20;

  public static final String CREATED_AT = "created_at";
  public static final String FEED_SINCE = "feed_since";
  public static final String FEED_RETRIED_AT = "feed_retried_at";
  public static final String SPECIAL_SINCE = "special_since";

  /** Returns an edge that notifies. An edge that an account asks for is {@link #requested}. */
  public static Follow of(String followerId, String followeeId, Instant createdAt) {
    return new Follow(followerId, followeeId, createdAt, null, null, false, null);
  }

  /**
   * Returns an edge to an account as it is now. A celebrity is not notified of it: one of many new
   * followers is no news, and the notifications of one account meet in one place.
   */
  public static Follow requested(String followerId, User followee, Instant createdAt) {
    return new Follow(
        followerId, followee.userId(), createdAt, null, null, followee.isCelebrity(), null);
  }

  /** Returns an edge that was imported from another system. */
  public static Follow imported(String followerId, String followeeId, Instant createdAt) {
    return new Follow(followerId, followeeId, createdAt, null, null, true, null);
  }

  public static Key key(String followerId, String followeeId) {
    return new Key(Keys.followee(followeeId), Keys.follower(followerId));
  }

  /** Returns the oldest time of the followee's posts that the follower's feed holds. */
  public Instant fedSince() {
    return feedSince != null && feedSince.isBefore(createdAt) ? feedSince : createdAt;
  }

  @Override
  public Key key() {
    return key(followerId, followeeId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(followerId, followeeId));
  }

  @Override
  public List<Key> parents() {
    return List.of(User.key(followerId), User.key(followeeId));
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return Map.of(
        Index.FOLLOWERS,
        new Key(Keys.followee(followeeId), Keys.timed(createdAt, Keys.follower(followerId))),
        Index.FOLLOWING,
        new Key(Keys.follower(followerId), Keys.timed(createdAt, Keys.followee(followeeId))));
  }
}
