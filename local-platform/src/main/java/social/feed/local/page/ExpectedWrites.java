package social.feed.local.page;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import social.feed.local.page.Writes.Kind;
import social.feed.local.page.Writes.Write;
import social.feed.table.row.Key;

/**
 * Writes whose records have not been seen, with the requests that caused them. Guarded by the lock
 * of {@link Xray}.
 */
final class ExpectedWrites {
  /** The most writes that are kept. */
  static final int MOST = 20_000;

  /** The most writes of one item. Another process may see their records, and no one takes these. */
  static final int MOST_OF_A_KEY = 200;

  /** A write that changes nothing has no record. */
  private static final Duration EXPECTED_FOR = Duration.ofSeconds(30);

  private final Map<Key, Deque<Expected>> ofKeys = new LinkedHashMap<>();
  private int size;

  private record Expected(Write write, List<Trace> traces, double at) {
    boolean fits(String event) {
      return (write.kind() == Kind.DELETE) == event.equals("REMOVE");
    }
  }

  /** Adds a write that begins. The oldest ones make room for it. */
  void add(Write write, List<Trace> traces, double now) {
    var ofKey = ofKeys.computeIfAbsent(write.key(), _ -> new ArrayDeque<>());
    if (ofKey.size() == MOST_OF_A_KEY) {
      ofKey.removeFirst();
      size--;
    }
    ofKey.add(new Expected(write, traces, now));
    size++;
    var oldest = ofKeys.values().iterator();
    while (size > MOST) {
      size -= oldest.next().size();
      oldest.remove();
    }
  }

  /** Removes a write that failed. */
  void forget(Write write) {
    var ofKey = ofKeys.get(write.key());
    if (ofKey != null && ofKey.removeIf(each -> each.write == write)) {
      size--;
      removeEmpty(write.key(), ofKey);
    }
  }

  boolean contains(Key key) {
    return ofKeys.containsKey(key);
  }

  /**
   * Removes the write that a record is of, and returns its requests: the put with its image, or
   * else the oldest write that fits.
   *
   * @param image the fingerprint of the new image
   */
  List<Trace> take(Key key, String event, OptionalInt image, double now) {
    var ofKey = ofKeys.get(key);
    if (ofKey == null) {
      return List.of();
    }
    int before = ofKey.size();
    ofKey.removeIf(each -> each.at < now - EXPECTED_FOR.toMillis());
    var fitting = ofKey.stream().filter(each -> each.fits(event)).toList();
    Optional<Expected> found =
        fitting.stream()
            .filter(
                each ->
                    each.write.kind() == Kind.PUT
                        && image.equals(OptionalInt.of(each.write.image())))
            .findFirst()
            .or(() -> fitting.stream().findFirst());
    found.ifPresent(ofKey::remove);
    size -= before - ofKey.size();
    removeEmpty(key, ofKey);
    return found.map(Expected::traces).orElse(List.of());
  }

  private void removeEmpty(Key key, Deque<Expected> ofKey) {
    if (ofKey.isEmpty()) {
      ofKeys.remove(key);
    }
  }

  /** Returns the number of writes. */
  int size() {
    return size;
  }
}
