package social.feed.table.row;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.time.Timestamps;

/**
 * When somebody last read the home feed: {@code USER#<id> / ACTIVITY}. Posts are not delivered to
 * who has not read for long; the first read afterwards brings the feed up to date.
 *
 * @param userId the reader
 * @param lastReadAt when, to a day
 * @param storedSince the feed holds everything since then that is owed; what is older is read from
 *     the authors. Absent while nothing was ever left out
 * @param rebuildFrom from when on posts are yet to be brought, absent when that was done
 */
@StoredAs(RowKind.ACTIVITY)
public record FeedActivity(
    String userId, Instant lastReadAt, @Nullable Instant storedSince, @Nullable Instant rebuildFrom)
    implements Row {
  public static final String LAST_READ_AT = "last_read_at";
  public static final String STORED_SINCE = "stored_since";
  public static final String REBUILD_FROM = "rebuild_from";

  /** A reader who has not read for that long is dormant. */
  public static final Duration DORMANT_AFTER = Duration.ofDays(30);

  /**
   * From when on deliveries leave somebody out: later than the first read would notice, since the
   * clocks of reader and writer differ.
   */
  public static final Duration LEFT_OUT_AFTER = DORMANT_AFTER.plusDays(1);

  /** A dead letter is kept for 14 days, so no delivery is later than that. */
  private static final Duration LATEST_DELIVERY = Duration.ofDays(15);

  private static final String SORT = "ACTIVITY";

  public static Key key(String userId) {
    return new Key(Keys.user(userId), SORT);
  }

  /** Of somebody from whom nothing was kept so far. */
  public static FeedActivity at(String userId, Instant now) {
    return new FeedActivity(userId, now, null, null);
  }

  public boolean isDormant(Instant now) {
    return lastReadAt.plus(DORMANT_AFTER).isBefore(now);
  }

  /** Whether deliveries leave out who last read at a time. */
  public static boolean isLeftOut(Instant lastReadAt, Instant now) {
    return lastReadAt.plus(LEFT_OUT_AFTER).isBefore(now);
  }

  /** From when on posts may have been left out. */
  public Instant mayLackFrom() {
    return lastReadAt.plus(LEFT_OUT_AFTER).minus(LATEST_DELIVERY);
  }

  /**
   * After the first read since long. Whatever is written from now on is delivered again; nothing
   * older is trusted until it was brought.
   */
  public FeedActivity awoken(Instant now) {
    return new FeedActivity(userId, now, now.plus(Timestamps.CLOCKS_DIFFER), mayLackFrom());
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
