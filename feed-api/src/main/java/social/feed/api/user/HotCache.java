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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
 * they read themselves, and so they do at once where the item does not exist. Of one process, one
 * caller asks for an item, and the others wait for that one as long. An item expires {@link
 * CacheConfiguration#cached} after its claim by the clock of the shared cache, and at the same time
 * in the memory of each process. The claim is older than the read, so an item is never shown for
 * longer than by one process alone.
 */
public final class HotCache<V> {
  /** A claim whose process was lost lasts longer than the others wait. */
  private static final int LEASE = 2;

  /** Doubled after each look. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);

  private static final String CLAIM =
      """
      local clock = redis.call('TIME')
      local answer = {clock[1] * 1000 + math.floor(clock[2] / 1000)}
      for i, key in ipairs(KEYS) do
        local item = redis.call('GET', key)
        local state
        if item == '-' then
          item, state = '', -3
        elseif item and item ~= '' then
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

  /** The claim of another caller, in the place of the time that an item has left. */
  private static final long CLAIMED_BY_ANOTHER = -2;

  /** No item, so there is nothing to wait for, in the place of that time. */
  private static final long MARKED_ABSENT = -3;

  /**
   * The first argument is when the items expire, so a late call leaves nothing; the second is how
   * long an absent item is marked.
   */
  private static final String LEAVE =
      """
      for i, key in ipairs(KEYS) do
        local item = ARGV[i + 2]
        if item ~= '' and item ~= '-' then
          redis.call('SET', key, item, 'PXAT', ARGV[1])
        elseif redis.call('GET', key) == '' then
          if item == '-' then
            redis.call('SET', key, '-', 'PX', ARGV[2])
          else
            redis.call('DEL', key)
          end
        end
      end
      return {}
      """;

  /** In the place of an item: no claim of this caller, or a claim that ends without a read. */
  private static final String NONE = "";

  /** In the place of an item that does not exist. No item in JSON is this text. */
  private static final String ABSENT = "-";

  private final String kind;
  private final Class<V> type;
  private final Duration cached;
  private final Ticker ticker;
  private final SharedCache shared;
  private final ObjectMapper json;
  private final Function<List<String>, Map<String, V>> table;
  private final Cache<String, Fresh<V>> fresh;

  /** The items that callers of this process wait for, by id; empty for what does not exist. */
  private final ConcurrentMap<String, CompletableFuture<Optional<Fresh<V>>>> awaited =
      new ConcurrentHashMap<>();

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
    // From before the read: a change right after its beginning would be missing for longer.
    long end = ticker.read() + cached.toNanos();
    return until(end, table.apply(ids));
  }

  private static <V> Map<String, Fresh<V>> until(long time, Map<String, V> items) {
    var fresh = new HashMap<String, Fresh<V>>();
    items.forEach((id, item) -> fresh.put(id, new Fresh<>(item, time)));
    return fresh;
  }

  /** Asks for the items that no other caller of this process asks for, and waits for the others. */
  private Map<String, Fresh<V>> fromShared(List<String> ids) {
    var own = new LinkedHashMap<String, CompletableFuture<Optional<Fresh<V>>>>();
    var others = new HashMap<String, CompletableFuture<Optional<Fresh<V>>>>();
    for (String id : ids) {
      var mine = new CompletableFuture<Optional<Fresh<V>>>();
      var before = awaited.putIfAbsent(id, mine);
      if (before == null) {
        own.put(id, mine);
      } else {
        others.put(id, before);
      }
    }
    long waitsUntil = System.nanoTime() + shared.patience().toNanos();
    Map<String, Fresh<V>> found;
    try {
      found = claimOrWait(own, waitsUntil);
    } finally {
      // After a failure, others read themselves. Before this caller waits for them, who may wait
      // for it.
      own.forEach(
          (id, mine) -> {
            awaited.remove(id);
            mine.complete(Optional.empty());
          });
    }
    var left = new ArrayList<String>();
    others.forEach(
        (id, read) ->
            within(waitsUntil, read)
                // Its reader may have hung.
                .filter(item -> item.until() > ticker.read())
                .ifPresentOrElse(item -> found.put(id, item), () -> left.add(id)));
    if (!left.isEmpty()) {
      found.putAll(fromTable(left));
    }
    return found;
  }

  private static <T> Optional<T> within(long until, CompletableFuture<Optional<T>> future) {
    try {
      return future.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException _) {
      return Optional.empty();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Returns what exists, and completes each item as soon as it is there. */
  private Map<String, Fresh<V>> claimOrWait(
      Map<String, CompletableFuture<Optional<Fresh<V>>>> awaiting, long waitsUntil) {
    var found = new HashMap<String, Fresh<V>>();
    List<String> left = List.copyOf(awaiting.keySet());
    String lease = lease();
    long pause = FIRST_PAUSE.toNanos();
    while (!left.isEmpty()) {
      long patience = waitsUntil - System.nanoTime();
      long asked = ticker.read();
      var answer = shared.run(CLAIM, keys(left), lease);
      if (answer.isEmpty()) {
        found.putAll(fromTable(left));
        return found;
      }
      var claimed = new ArrayList<String>();
      var absent = new ArrayList<String>();
      var others = new ArrayList<String>();
      for (int i = 0; i < left.size(); i++) {
        String id = left.get(i);
        long state = (Long) answer.get().get(2 * i + 2);
        var item = decoded((String) answer.get().get(2 * i + 1));
        if (item.isPresent() && state >= 0 && state <= cached.toMillis()) {
          found.put(id, new Fresh<>(item.get(), asked + Duration.ofMillis(state).toNanos()));
        } else if (state == MARKED_ABSENT) {
          absent.add(id);
        } else if (state == CLAIMED_BY_ANOTHER && patience > 0) {
          others.add(id);
        } else {
          // Its claim, one that takes too long, or what is no item of this version.
          claimed.add(id);
        }
      }
      if (!absent.isEmpty()) {
        found.putAll(fromTable(absent));
      }
      if (!claimed.isEmpty()) {
        long expiresAt = (Long) answer.get().getFirst() + cached.toMillis();
        found.putAll(until(asked + cached.toNanos(), readFor(claimed, expiresAt)));
      }
      left.stream()
          .filter(id -> !others.contains(id))
          .forEach(
              id ->
                  Objects.requireNonNull(awaiting.get(id))
                      .complete(Optional.ofNullable(found.get(id))));
      left = others;
      if (!left.isEmpty()) {
        LockSupport.parkNanos(Math.min(pause, patience));
        pause *= 2;
      }
    }
    return found;
  }

  /** Returns how long a claim and the mark of an absent item last, in milliseconds. */
  private String lease() {
    return String.valueOf(shared.patience().multipliedBy(LEASE).toMillis());
  }

  /** Reads the table for all processes. A failure ends the claims too. */
  private Map<String, V> readFor(List<String> claimed, long expiresAt) {
    Optional<Map<String, V>> read = Optional.empty();
    try {
      read = Optional.of(table.apply(claimed));
      return read.get();
    } finally {
      var arguments = new ArrayList<String>();
      arguments.add(String.valueOf(expiresAt));
      arguments.add(lease());
      for (String id : claimed) {
        arguments.add(read.map(items -> encoded(items.get(id))).orElse(NONE));
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

  /** Returns an item, empty for one that another version wrote in another form, or damaged. */
  private Optional<V> decoded(String item) {
    try {
      return item.equals(NONE)
          ? Optional.empty()
          : Optional.of(Objects.requireNonNull(json.readValue(item, type)));
    } catch (IOException | RuntimeException _) {
      return Optional.empty();
    }
  }
}
