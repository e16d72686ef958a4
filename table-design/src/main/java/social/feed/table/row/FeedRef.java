package social.feed.table.row;

import java.time.Instant;
import social.feed.table.kernel.time.Timestamps;

/**
 * A home feed entry as read from GSI3.
 *
 * @param postId the post
 * @param authorId the account that wrote it
 * @param createdAt the post's own time
 */
public record FeedRef(String postId, String authorId, Instant createdAt) {
  private static final String SEPARATOR = "#";

  /**
   * Returns the reference at a position of a feed.
   *
   * @param position a sort key that {@link Keys#feedSort} made; post and time are read from it
   */
  public static FeedRef at(String position, String authorId) {
    var postId = position.substring(position.lastIndexOf(SEPARATOR) + 1);
    return new FeedRef(postId, authorId, Timestamps.leading(position));
  }
}
