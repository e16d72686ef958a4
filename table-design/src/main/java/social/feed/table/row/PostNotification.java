package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.id.TimeOrderedId;

/**
 * The record that a special follower was notified of a post: {@code FANOUT#<post> / TOLD#<reader>}.
 * It is written before the notification, which is in the reader's partition. Whatever removes the
 * post finds here all recipients, including former followers. The row stays until it expires, so
 * that a late notification is found too.
 *
 * @param postId the post
 * @param readerId the recipient
 * @param authorId the account that wrote the post
 * @param createdAt the post's own time
 * @param expiresAt epoch second after which TTL may delete the notification
 */
@StoredAs(RowKind.ANNOUNCEMENT)
public record PostNotification(
    String postId, String readerId, String authorId, Instant createdAt, long expiresAt)
    implements Row {

  /**
   * Returns the recipient's notification. It is the same for the same post, however often it is
   * retried.
   */
  public Notification notification() {
    return new Notification(
        readerId,
        TimeOrderedId.named(createdAt, NotificationType.POST.name(), readerId, authorId, postId),
        NotificationType.POST,
        authorId,
        postId,
        createdAt,
        false,
        expiresAt);
  }

  public static Key key(String postId, String readerId) {
    return new Key(Keys.fanout(postId), Keys.postNotification(readerId));
  }

  /** Returns the recipient of the row at a key, null where the key names none. */
  public static @Nullable String readerAt(Key key) {
    return key.sort().startsWith(Keys.POST_NOTIFICATIONS)
            && key.sort().length() > Keys.POST_NOTIFICATIONS.length()
        ? key.sort().substring(Keys.POST_NOTIFICATIONS.length())
        : null;
  }

  @Override
  public Key key() {
    return key(postId, readerId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(readerId, authorId));
  }

  @Override
  public List<Key> parents() {
    // Verification compares the row with its post and its notification.
    return List.of();
  }
}
