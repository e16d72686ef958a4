package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import social.feed.table.kernel.id.TimeOrderedId;

/**
 * Somebody who follows specially was told of a post: {@code FANOUT#<post> / TOLD#<reader>}. It is
 * written before the notification, which lies with its reader: whoever takes the post away finds
 * here whom to take it from, also those who do not follow any more. It stays until it expires, as
 * what is told late must be found as well.
 *
 * @param postId the post
 * @param readerId who is told
 * @param authorId who wrote it
 * @param createdAt the post's own time
 * @param expiresAt epoch second after which the notification is gone
 */
@StoredAs(RowKind.ANNOUNCEMENT)
public record PostNotification(
    String postId, String readerId, String authorId, Instant createdAt, long expiresAt)
    implements Row {

  /** What its reader is told: the same for the same post, however often it is tried. */
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
    return new Key(Keys.fanout(postId), Keys.told(readerId));
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
