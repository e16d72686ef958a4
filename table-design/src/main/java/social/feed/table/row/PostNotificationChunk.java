package social.feed.table.row;

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
public record PostNotificationChunk(
    String postId, long number, String first, String last, long expiresAt) implements Row {

  @Override
  public Key key() {
    return new Key(Keys.fanout(postId), Keys.toldPart(number));
  }
}
