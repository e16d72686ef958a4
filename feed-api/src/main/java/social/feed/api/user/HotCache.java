package social.feed.api.user;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.cache.SharedCache;

/**
 * Items of lists that many callers read. A fresh item is read once for all callers of this process
 * and, with a shared cache, of all processes that share it. Eventually consistent.
 *
 * <p>With a shared cache, the caller who finds no fresh item claims it there, reads the table, and
 * leaves the item for the others. They wait for it for at most {@link SharedCache#patience}, then
 * they read themselves. An item expires {@link CacheConfiguration#cached} after its claim by the
 * clock of the shared cache, and at the same time in the memory of each process. The claim is older
 * than the read, so an item is never shown for longer than by one process alone.
 */
public final class HotCache<V> {
  /** A claim whose process was lost lasts longer than the others wait. */
  private static final int LEASE = 2;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private static final String CLAIM =
      """
      local clock = redis.call('TIME')
      local answer = {clock[1] * 1000 + math.floor(clock[2] / 1000)}
      for i, key in ipairs(KEYS) do
        local item = redis.call('GET', key)
        local state
        if item and item ~= '' then
          state = redis.call('PTTL', key)
        else
          item = ''
          state = redis.call('SET', key, '', 'NX', 'PX', ARGV[1]) and -1 or -2
        end
        answer[2 * i] = item
        answer[2 * i + 1] = state
      end
      return answer
      """;

  /** A claim, in the place of the time that an item has left. */
  private static final long CLAIMED = -1;

  /** The first argument is when the items expire, so a late call leaves nothing. */
  private static final String LEAVE =
      """
      for i, key in ipairs(KEYS) do
        if ARGV[i + 1] ~= '' then
          redis.call('SET', key, ARGV[i + 1], 'PXAT', ARGV[1])
        elseif redis.call('GET', key) == '' then
          redis.call('DEL', key)
        end
      end
      return {}
      """;

  /** No item: it ends a claim. */
  private static final String ABSENT = "";

  private final String kind;
  private final Class<V> type;
  private final Duration cached;
  private final Ticker ticker;
  private final SharedCache shared;
  private final ObjectMapper json;
  private final Function<List<String>, Map<String, V>> table;
  private final Cache<String, Fresh<V>> fresh;

  /**
   * An item.
   *
   * @param until when it expires, by the ticker
   */
  private record Fresh<V>(V item, long until) {}

  /** Lets each item expire at its time. */
  private static final class AtItsTime<V> implements Expiry<String, Fresh<V>> {
    @Override
    public long expireAfterCreate(String id, Fresh<V> item, long now) {
      return Math.max(0, item.until() - now);
    }

    @Override
    public long expireAfterUpdate(String id, Fresh<V> item, long now, long left) {
      return expireAfterCreate(id, item, now);
    }

    @Override
    public long expireAfterRead(String id, Fresh<V> item, long now, long left) {
      return left;
    }
  }

  HotCache(
      String kind,
      Class<V> type,
      Function<List<String>, Map<String, V>> table,
      CacheConfiguration configuration,
      Ticker ticker,
      SharedCache shared,
      ObjectMapper json) {
    this.kind = kind;
    this.type = type;
    this.cached = configuration.cached();
    this.ticker = ticker;
    this.shared = shared;
    this.json = json;
    this.table = table;
    this.fresh =
        Caffeine.newBuilder()
            .ticker(ticker)
            .expireAfter(new AtItsTime<V>())
            .maximumSize(configuration.remembered())
            .build();
  }

  /** Returns the items that exist, by id. */
  public Map<String, V> getAll(Collection<String> ids) {
    var found = new LinkedHashMap<String, V>();
    fresh.getAll(ids, this::load).forEach((id, item) -> found.put(id, item.item()));
    return found;
  }

  private Map<String, Fresh<V>> load(Set<? extends String> ids) {
    return shared.isAvailable() && cached.isPositive()
        ? fromShared(List.copyOf(ids))
        : fromTable(List.copyOf(ids));
  }

  private Map<String, Fresh<V>> fromTable(List<String> ids) {
    Map<String, V> read = table.apply(ids);
    return until(ticker.read() + cached.toNanos(), read);
  }

  private static <V> Map<String, Fresh<V>> until(long time, Map<String, V> items) {
    var fresh = new HashMap<String, Fresh<V>>();
    items.forEach((id, item) -> fresh.put(id, new Fresh<>(item, time)));
    return fresh;
  }

  private Map<String, Fresh<V>> fromShared(List<String> ids) {
    var found = new HashMap<String, Fresh<V>>();
    List<String> left = ids;
    String lease = String.valueOf(shared.patience().multipliedBy(LEASE).toMillis());
    long waitsUntil = System.nanoTime() + shared.patience().toNanos();
    while (!left.isEmpty()) {
      boolean isPatient = System.nanoTime() < waitsUntil;
      long asked = ticker.read();
      var answer = shared.run(CLAIM, keys(left), lease);
      if (answer.isEmpty()) {
        found.putAll(fromTable(left));
        return found;
      }
      var claimed = new ArrayList<String>();
      var others = new ArrayList<String>();
      for (int i = 0; i < left.size(); i++) {
        String id = left.get(i);
        long state = (Long) answer.get().get(2 * i + 2);
        var item = decoded((String) answer.get().get(2 * i + 1));
        if (item.isPresent()) {
          found.put(id, new Fresh<>(item.get(), asked + Duration.ofMillis(state).toNanos()));
        } else if (state >= CLAIMED || !isPatient) {
          claimed.add(id);
        } else {
          others.add(id);
        }
      }
      if (!claimed.isEmpty()) {
        long expiresAt = (Long) answer.get().getFirst() + cached.toMillis();
        found.putAll(until(asked + cached.toNanos(), readFor(claimed, expiresAt)));
      }
      left = others;
      if (!left.isEmpty()) {
        LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      }
    }
    return found;
  }

  /** Reads the table for all processes. A failure ends the claims too. */
  private Map<String, V> readFor(List<String> claimed, long expiresAt) {
    Map<String, V> read = Map.of();
    try {
      read = table.apply(claimed);
      return read;
    } finally {
      var arguments = new ArrayList<String>();
      arguments.add(String.valueOf(expiresAt));
      for (String id : claimed) {
        arguments.add(encoded(read.get(id)));
      }
      var _ = shared.run(LEAVE, keys(claimed), arguments.toArray(String[]::new));
    }
  }

  private List<String> keys(List<String> ids) {
    return ids.stream().map(id -> shared.key(kind, id)).toList();
  }

  private String encoded(@Nullable V item) {
    try {
      return item == null ? ABSENT : json.writeValueAsString(item);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns an item, empty for one that another version wrote in another form. */
  private Optional<V> decoded(String item) {
    try {
      return item.equals(ABSENT)
          ? Optional.empty()
          : Optional.of(Objects.requireNonNull(json.readValue(item, type)));
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
