package social.feed.table.home;

import java.time.Instant;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Keys;

/**
 * A feed's entries down to a time, and below it the past. A post has the same position in both, so
 * a reader who is between two pages when that time changes misses nothing and sees nothing twice.
 *
 * @param entries what is stored
 * @param past the same posts, where they come from
 * @param since how far down the entries are complete
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
    boolean goesOn = stored.next() != null && stored.next().compareTo(end) >= 0;
    return new Page<>(complete, goesOn ? stored.next() : end, stored.examined());
  }
}
