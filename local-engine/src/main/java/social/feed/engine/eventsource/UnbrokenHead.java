package social.feed.engine.eventsource;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tracks records that are on their way, and end out of order. A checkpoint may only pass records
 * that are done. So it is at the last record of the unbroken run of done records from the first one
 * on.
 */
final class UnbrokenHead {

  private final Deque<String> open = new ArrayDeque<>();
  private final Set<String> done = new HashSet<>();

  /** Adds records behind all others. */
  void add(List<BatchRecord> records) {
    records.forEach(record -> open.add(record.sequenceNumber()));
  }

  /**
   * Marks the records as done. Returns the sequence number of the last record of the unbroken head
   * if the head has grown.
   */
  Optional<String> done(List<BatchRecord> records) {
    records.forEach(record -> done.add(record.sequenceNumber()));
    @Nullable String last = null;
    while (!open.isEmpty() && done.remove(open.peek())) {
      last = open.remove();
    }
    return Optional.ofNullable(last);
  }

  /** Returns the number of records behind the head, done or not. */
  int size() {
    return open.size();
  }

  /** Forgets all records. */
  void clear() {
    open.clear();
    done.clear();
  }
}
