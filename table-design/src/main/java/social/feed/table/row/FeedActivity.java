package social.feed.table.row;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.time.Timestamps;

/**
 * When a reader last read the home feed: {@code USER#<id> / ACTIVITY}. Fan-out skips a reader who
 * has not read for long. The reader's next read fills the feed again.
 *
 * @param userId the reader
 * @param lastReadAt the time of the last read, to a day
 * @param storedSince the feed holds every entry it must hold since this time; older posts are read
 *     from their authors. Absent while fan-out never skipped the reader
 * @param rebuildFrom the oldest time of the posts that must still be added to the feed, absent when
 *     all are
 */
@StoredAs(RowKind.ACTIVITY)
public record FeedActivity(
    String userId, Instant lastReadAt, @Nullable Instant storedSince, @Nullable Instant rebuildFrom)
    implements Row {
  public static final String LAST_READ_AT = "last_read_at";
  public static final String STORED_SINCE = "stored_since";
  public static final String REBUILD_FROM = "rebuild_from";

  /** A reader who has not read for this long is dormant. */
  public static final Duration DORMANT_AFTER = Duration.ofDays(30);

  /**
   * Fan-out skips a reader who has not read for this long. It is longer than {@link
   * #DORMANT_AFTER}, because the clocks of reader and writer differ.
   */
  public static final Duration LEFT_OUT_AFTER = DORMANT_AFTER.plusDays(1);

  private static final String SORT = "ACTIVITY";

  public static Key key(String userId) {
    return new Key(Keys.user(userId), SORT);
  }

  /** Returns the activity of a reader whom fan-out never skipped. */
  public static FeedActivity at(String userId, Instant now) {
    return new FeedActivity(userId, now, null, null);
  }

  public boolean isDormant(Instant now) {
    return lastReadAt.plus(DORMANT_AFTER).isBefore(now);
  }

  /** Returns whether fan-out skips a reader with this last read. */
  public static boolean isLeftOut(Instant lastReadAt, Instant now) {
    return lastReadAt.plus(LEFT_OUT_AFTER).isBefore(now);
  }

  /** Returns the oldest time of the posts that fan-out may have skipped. */
  public Instant mayLackFrom() {
    return lastReadAt.plus(LEFT_OUT_AFTER).minus(Retention.LATEST_EFFECT);
  }

  /**
   * Returns the activity after the first read in a long time. Fan-out delivers again from now on.
   * Older stored entries do not count as complete until the rebuild has finished.
   */
  public FeedActivity awoken(Instant now) {
    return new FeedActivity(userId, now, now.plus(Timestamps.MAX_CLOCK_SKEW), mayLackFrom());
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
    return List.of(User.key(userId));
  }
}
