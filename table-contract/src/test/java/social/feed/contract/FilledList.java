package social.feed.contract;

import java.time.Instant;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;

/** One list of a pattern, empty at first, that a test fills. */
interface FilledList<T> {
  Page<T> page(PageRequest request);

  /** Adds an item of a time and returns it as the list shows it. */
  T add(Instant time);

  void remove(T item);
}
