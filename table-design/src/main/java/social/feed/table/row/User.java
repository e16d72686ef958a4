package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;

/**
 * An account: {@code USER#<id> / META}, in GSI1 by the number of its followers while it has any. It
 * holds counters, so no write replaces the whole item after its registration.
 *
 * @param userId subject of the caller's token
 * @param handle as the user wrote it; {@link HandleClaim} makes it unique, ignoring case
 * @param displayName 1 to 50 characters
 * @param bio absent when never given
 * @param createdAt when the account was registered
 * @param followersCount number of follow edges to this account, updated by the stream
 * @param followingCount copied from the {@link FollowQuota}
 * @param followingVersion version of the quota that was copied last
 * @param postsCount number of existing posts, updated by the stream
 * @param isCelebrity whether the author's posts are pulled instead of pushed
 * @param celebrityVersion how often that has changed
 * @param marks per stream shard, the last sequence number that {@code followersCount} covers
 * @param avatar a file that belongs to the profile alone, absent for none
 * @param banner as the avatar
 */
@StoredAs(
    value = RowKind.USER,
    extraAttributes = {
      User.POSTS_LEFT_OUT,
      User.FOLLOWERS_COUNT + Counted.RECOUNTS,
      User.POSTS_COUNT + Counted.RECOUNTS,
      User.MEDIA_COUNT,
      User.MEDIA_BYTES
    })
public record User(
    String userId,
    String handle,
    String displayName,
    @Nullable String bio,
    Instant createdAt,
    long followersCount,
    long followingCount,
    long followingVersion,
    long postsCount,
    boolean isCelebrity,
    long celebrityVersion,
    Map<String, String> marks,
    @Nullable PostMedia avatar,
    @Nullable PostMedia banner)
    implements Row, Counted {
  public static final String HANDLE = "handle";
  public static final String DISPLAY_NAME = "display_name";
  public static final String BIO = "bio";
  public static final String AVATAR = "avatar";
  public static final String BANNER = "banner";
  public static final String FOLLOWERS_COUNT = "followers_count";
  public static final String FOLLOWING_COUNT = "following_count";
  public static final String FOLLOWING_VERSION = "following_version";
  public static final String IS_CELEBRITY = "is_celebrity";
  public static final String CELEBRITY_VERSION = "celebrity_version";
  public static final String POSTS_COUNT = "posts_count";

  /** Number of its posts whose counts were left to dead letters; absent until the first. */
  public static final String POSTS_LEFT_OUT = "posts_left_out";

  /** Number of its files, pending ones included; absent until the first. */
  public static final String MEDIA_COUNT = "media_count";

  /** Sum of the declared sizes of its files; absent until the first. */
  public static final String MEDIA_BYTES = "media_bytes";

  /** Creates an account without pictures. */
  public User(
      String userId,
      String handle,
      String displayName,
      @Nullable String bio,
      Instant createdAt,
      long followersCount,
      long followingCount,
      long followingVersion,
      long postsCount,
      boolean isCelebrity,
      long celebrityVersion,
      Map<String, String> marks) {
    this(
        userId,
        handle,
        displayName,
        bio,
        createdAt,
        followersCount,
        followingCount,
        followingVersion,
        postsCount,
        isCelebrity,
        celebrityVersion,
        marks,
        null,
        null);
  }

  /** Returns a picture of the profile. */
  public Optional<PostMedia> shown(Picture picture) {
    return Optional.ofNullable(
        switch (picture) {
          case AVATAR -> avatar;
          case BANNER -> banner;
        });
  }

  /** Returns an account at its registration, with all counts at zero. */
  public static User registered(
      String userId, String handle, String displayName, @Nullable String bio, Instant createdAt) {
    return new User(userId, handle, displayName, bio, createdAt, 0, 0, 0, 0, false, 0, Map.of());
  }

  public static Key key(String userId) {
    return new Key(Keys.user(userId), Keys.META);
  }

  @Override
  public Key key() {
    return key(userId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(userId);
  }

  @Override
  public List<Key> parents() {
    return List.of();
  }

  @Override
  public Optional<String> indexedNumber() {
    return Optional.of(FOLLOWERS_COUNT);
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return standing(userId, followersCount);
  }

  /** Returns the index keys that rank an account with this number of followers among all. */
  public static Map<Index, Key> standing(String userId, long followers) {
    return followers > 0
        ? Map.of(
            Index.POSTS_BY_AUTHOR,
            new Key(Keys.top(Keys.ALL_TIME, userId), Keys.scored(followers, Keys.user(userId))))
        : Map.of();
  }
}
