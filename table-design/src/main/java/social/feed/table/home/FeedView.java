package social.feed.table.home;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import social.feed.table.row.PulledAuthor;

/**
 * The reader of a feed, and the sources of its parts.
 *
 * @param readerId the reader
 * @param pulled the pulled authors whom the reader follows
 * @param storedSince the time down to which posts come from stored entries; older posts come from
 *     their authors
 */
public record FeedView(String readerId, List<PulledAuthor> pulled, Instant storedSince) {
  public FeedView {
    pulled = List.copyOf(pulled);
  }

  /** Returns the pulled authors by id. */
  Map<String, PulledAuthor> pulledById() {
    return pulled.stream().collect(Collectors.toMap(PulledAuthor::authorId, Function.identity()));
  }
}
