package social.feed.table.row;

import java.util.List;
import java.util.Set;

/**
 * A chunk of the special followers who must be notified of a post, when they are many: {@code
 * FANOUT#<post> / TELL#<n>}, the followers between two ids. The stream record of its insert starts
 * the delivery.
 *
 * @param postId the post
 * @param number from 0, six digits in the key
 * @param first id of the first follower
 * @param last id of the last follower
 * @param expiresAt epoch second after which TTL may delete the notifications
 */
@StoredAs(RowKind.ANNOUNCEMENT_PART)
public record PostNotificationChunk(
    String postId, long number, String first, String last, long expiresAt) implements Row {

  @Override
  public Key key() {
    return new Key(Keys.fanout(postId), Keys.postNotificationChunk(number));
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(first, last));
  }

  @Override
  public List<Key> parents() {
    // The row expires, and may outlive its post until then.
    return List.of();
  }
}
