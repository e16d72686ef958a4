package social.feed.table.row;

import java.time.Instant;
import social.feed.table.kernel.time.Timestamps;

/**
 * A home feed entry as GSI3 shows it.
 *
 * @param postId the post
 * @param authorId who wrote it
 * @param createdAt the post's own time
 */
public record FeedRef(String postId, String authorId, Instant createdAt) {
  private static final String SEPARATOR = "#";

  /**
   * The reference at a place of a feed.
   *
   * @param position as {@link Keys#feedSort} made it; post and time are read from it
   */
  public static FeedRef at(String position, String authorId) {
    var postId = position.substring(position.lastIndexOf(SEPARATOR) + 1);
    return new FeedRef(postId, authorId, Timestamps.leading(position));
  }
}
