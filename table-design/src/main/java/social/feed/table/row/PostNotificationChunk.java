package social.feed.table.row;

import java.util.List;
import java.util.Set;

/**
 * A part of those who are to be told of a post, where they are many: {@code FANOUT#<post> /
 * TELL#<n>}, the special followers between two ids. Its insert in the stream is what has it worked
 * off.
 *
 * @param postId the post
 * @param number from 0, six digits in the key
 * @param first id of its first follower
 * @param last id of its last follower
 * @param expiresAt epoch second after which the notifications are gone
 */
@StoredAs(RowKind.ANNOUNCEMENT_PART)
public record PostNotificationChunk(
    String postId, long number, String first, String last, long expiresAt) implements Row {

  @Override
  public Key key() {
    return new Key(Keys.fanout(postId), Keys.toldPart(number));
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
