package social.feed.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Items by id that are read again after a time. The API caches for the same time, so both make the
 * same calls.
 */
final class FreshItems {
  private final long fresh;
  private final Function<List<String>, Map<String, Map<String, AttributeValue>>> reader;
  private final Map<String, Read> reads = new ConcurrentHashMap<>();

  private record Read(Map<String, AttributeValue> item, long at) {}

  /**
   * @param reader reads the items of some ids in one call
   */
  FreshItems(
      Duration fresh, Function<List<String>, Map<String, Map<String, AttributeValue>>> reader) {
    this.fresh = fresh.toNanos();
    this.reader = reader;
  }

  Map<String, Map<String, AttributeValue>> getAll(Collection<String> ids) {
    var now = System.nanoTime();
    var found = new HashMap<String, Map<String, AttributeValue>>();
    var missing = new ArrayList<String>();
    for (var id : ids) {
      var read = reads.get(id);
      if (read != null && now - read.at() < fresh) {
        found.put(id, read.item());
      } else {
        missing.add(id);
      }
    }
    if (!missing.isEmpty()) {
      var read = reader.apply(missing);
      read.forEach((id, item) -> reads.put(id, new Read(item, now)));
      found.putAll(read);
    }
    return found;
  }
}
