package social.feed.table.home;

import java.time.Instant;
import java.util.List;
import social.feed.table.row.PulledAuthor;

/**
 * Whose feed is read, and where its parts are.
 *
 * @param readerId the reader
 * @param pulled those whom the reader follows of the authors whose posts are pulled
 * @param storedSince what is older is not taken from the feed but from the authors
 */
public record FeedView(String readerId, List<PulledAuthor> pulled, Instant storedSince) {
  public FeedView {
    pulled = List.copyOf(pulled);
  }
}
