package social.feed.api.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.serde.ObjectMapper;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import social.feed.api.edge.cache.SharedCache;

/** Items in the memory of one process, on a clock that the table moves. */
class HotCacheTest {
  private static final Duration CACHED = Duration.ofSeconds(1);

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger reads = new AtomicInteger();

  private HotCache<Integer> cache(Duration read) {
    return new HotCaches(
            new CacheConfiguration(CACHED, 100),
            now::get,
            SharedCache.NONE,
            ObjectMapper.getDefault())
        .of(
            "number",
            Integer.class,
            _ -> {
              now.addAndGet(read.toNanos());
              return Map.of("id", reads.incrementAndGet());
            });
  }

  /** It may have been changed right after the read began. */
  @Test
  void item_isKeptForItsTime_fromTheBeginningOfItsRead() {
    var cache = cache(Duration.ofMillis(600));
    assertThat(cache.getAll(List.of("id"))).containsEntry("id", 1);

    now.addAndGet(Duration.ofMillis(399).toNanos());
    assertThat(cache.getAll(List.of("id"))).containsEntry("id", 1);
    now.addAndGet(Duration.ofMillis(1).toNanos());
    assertThat(cache.getAll(List.of("id"))).containsEntry("id", 2);
  }

  @Test
  void item_whoseReadTookLonger_isReturned_andNotKept() {
    var cache = cache(Duration.ofSeconds(2));

    assertThat(cache.getAll(List.of("id"))).containsEntry("id", 1);
    assertThat(cache.getAll(List.of("id"))).containsEntry("id", 2);
  }
}
