package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;

/**
 * A notification: {@code USER#<id> / NOTIF#<ts>#<notification id>}; in GSI_NOTIF only while unread.
 *
 * @param userId the recipient
 * @param notificationId deterministic, so that a replay writes the same item; it contains its time
 * @param type the event that caused it
 * @param actorId the account that caused it
 * @param postId the post it is about, absent for a follow
 * @param createdAt when the event happened
 * @param read whether it was read
 * @param expiresAt epoch second after which TTL may delete the row
 * @param counted whether {@link Inbox#unread} includes the row while it is unread, through the
 *     stream. Absent in rows from before the inbox, and where the writer that marked it as read
 *     took it from the number
 */
@StoredAs(RowKind.NOTIFICATION)
public record Notification(
    String userId,
    String notificationId,
    NotificationType type,
    String actorId,
    @Nullable String postId,
    Instant createdAt,
    boolean read,
    long expiresAt,
    @Nullable Boolean counted)
    implements Row {
  public static final String READ = "read";
  public static final String COUNTED = "counted";
  public static final String ACTOR_ID = "actor_id";

  /** Creates a notification that the stream counts while it is unread. */
  public Notification(
      String userId,
      String notificationId,
      NotificationType type,
      String actorId,
      @Nullable String postId,
      Instant createdAt,
      boolean read,
      long expiresAt) {
    this(
        userId,
        notificationId,
        type,
        actorId,
        postId,
        createdAt,
        read,
        expiresAt,
        read ? null : true);
  }

  /** Returns whether the number of unread notifications includes the row. */
  public boolean isCountedUnread() {
    return !read && Boolean.TRUE.equals(counted);
  }

  /** Returns whether the row is unread and from before the inbox. */
  public boolean isUncounted() {
    return !read && counted == null;
  }

  public static Key key(String userId, Instant createdAt, String notificationId) {
    return new Key(Keys.user(userId), Keys.notification(createdAt, notificationId));
  }

  @Override
  public Key key() {
    return key(userId, createdAt, notificationId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(userId, actorId));
  }

  @Override
  public List<Key> parents() {
    return List.of(User.key(userId));
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return read
        ? Map.of()
        : Map.of(
            Index.UNREAD, new Key(Keys.unread(userId), Keys.unreadSort(createdAt, notificationId)));
  }
}
