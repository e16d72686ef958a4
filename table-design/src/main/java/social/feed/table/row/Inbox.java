package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The number of unread notifications of an account: {@code USER#<id> / INBOX}. The sort key follows
 * those of the account's blocks, so one query reads it and shows whether there is any block. The
 * stream counts notifications that come and go. A writer that marks notifications as read takes
 * them from the number in the same transaction.
 *
 * @param userId the account
 * @param unread number of unread notifications whose rows say that they are counted. It is below
 *     zero while the stream has not counted a notification that was marked as read
 * @param marks per stream shard, the last sequence number that {@code unread} covers
 * @param complete whether no unread notification is from before the inbox
 * @param adoptedTo sort key of the last notification that was looked at for {@code complete};
 *     absent at the beginning and at the end
 * @param readUpTo the time up to which all notifications count as read; absent once their rows say
 *     so
 * @param currentUntil epoch second before which no unread notification expires; absent where that
 *     is not known
 * @param mutes number of mutes that the account ever began, and 1 for those from before the inbox
 * @param unmuted value of {@code mutes} at which no mute hid an unread notification
 * @param settledFor the blocks that hid no unread notification but the {@code hidden} ones, and
 *     these, as a hash; absent where that is not known. No notification comes from an account in
 *     such a block
 * @param hidden the unread notifications that these blocks hide, as sort keys in the index of
 *     unread ones; absent where there are none
 * @param step grows by one with each change that orders the next part of the work on the rows;
 *     absent while there is no work
 */
@StoredAs(
    value = RowKind.INBOX,
    extraAttributes = {Inbox.UNREAD + Counted.RECOUNTS})
public record Inbox(
    String userId,
    long unread,
    Map<String, String> marks,
    boolean complete,
    @Nullable String adoptedTo,
    @Nullable Instant readUpTo,
    @Nullable Long currentUntil,
    long mutes,
    long unmuted,
    @Nullable String settledFor,
    @Nullable List<String> hidden,
    @Nullable Long step)
    implements Row, Counted {
  public static final String UNREAD = "unread";
  public static final String COMPLETE = "complete";
  public static final String ADOPTED_TO = "adopted_to";
  public static final String READ_UP_TO = "read_up_to";
  public static final String CURRENT_UNTIL = "current_until";
  public static final String MUTES = "mutes";
  public static final String UNMUTED = "unmuted";
  public static final String SETTLED_FOR = "settled_for";
  public static final String HIDDEN = "hidden";
  public static final String STEP = "step";

  private static final String SORT = "INBOX";

  public Inbox {
    hidden = hidden == null || hidden.isEmpty() ? null : List.copyOf(hidden);
  }

  public static Key key(String userId) {
    return new Key(Keys.user(userId), SORT);
  }

  /** Returns whether a key is the key of an inbox. */
  public static boolean isAt(Key key) {
    return key.sort().equals(SORT) && key.partition().startsWith(Keys.USERS);
  }

  /** Returns the inbox of an account before its first counted notification. */
  public static Inbox empty(String userId) {
    return counted(key(userId), 0, Map.of());
  }

  /**
   * Returns the inbox after the first counted notifications.
   *
   * @param key of the inbox
   */
  public static Inbox counted(Key key, long unread, Map<String, String> marks) {
    var userId = Keys.userOf(key.partition());
    return new Inbox(userId, unread, marks, false, null, null, null, 1, 0, null, null, null);
  }

  /** Returns the inbox whose notifications up to a time count as read. */
  public Inbox readUpTo(Instant time) {
    return new Inbox(
        userId,
        unread,
        marks,
        complete,
        adoptedTo,
        time,
        currentUntil,
        mutes,
        unmuted,
        settledFor,
        hidden,
        step == null ? 1 : step + 1);
  }

  /** Returns whether a notification counts as read, whatever its row says. */
  public boolean isReadAt(Instant createdAt) {
    return readUpTo != null && !createdAt.isAfter(readUpTo);
  }

  /** Returns the keys of the unread notifications that the blocks hide. */
  public List<Key> hiddenKeys() {
    return hiddenPlaces().stream()
        .map(place -> new Key(Keys.user(userId), Keys.NOTIFICATIONS + place))
        .toList();
  }

  /** Returns {@code hidden}, empty where it is absent. */
  public List<String> hiddenPlaces() {
    return hidden == null ? List.of() : hidden;
  }

  /** Returns whether a mute may hide an unread notification. */
  public boolean mayMute() {
    return mutes != unmuted;
  }

  /**
   * Returns whether {@code unread} is the number of unread notifications, those included that a
   * block hides.
   *
   * @param now epoch second
   */
  public boolean isSettledAt(long now) {
    return complete && readUpTo == null && currentUntil != null && now < currentUntil && !mayMute();
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
