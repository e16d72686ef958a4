package social.feed.table.home;

import java.time.Instant;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Keys;

/**
 * A feed that consists of stored entries down to a time, and of a reconstruction below it. A post
 * has the same position in both. A reader who is between two pages when that time changes therefore
 * receives each post once.
 *
 * @param entries the stored entries
 * @param past the same posts, read from their authors
 * @param since the time down to which the entries are complete
 */
record StoredFeed(FeedSource entries, FeedSource past, Instant since) implements FeedSource {
  @Override
  public Page<FeedRef> page(PageRequest request) {
    var end = Keys.at(since);
    if (request.after() != null && request.after().compareTo(end) <= 0) {
      return past.page(request);
    }
    var stored = entries.page(request);
    var complete =
        stored.slots().stream().filter(slot -> slot.position().compareTo(end) >= 0).toList();
    boolean hasNext = stored.next() != null && stored.next().compareTo(end) >= 0;
    return new Page<>(complete, hasNext ? stored.next() : end, stored.examined());
  }
}
