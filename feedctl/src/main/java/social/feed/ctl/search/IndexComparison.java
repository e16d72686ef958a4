package social.feed.ctl.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.streams.index.IndexUpkeep;
import social.feed.table.kernel.store.Table;
import social.feed.verify.Report;

/**
 * Compares the search index with the table, in both directions. The index follows the stream
 * through a queue, so each difference is compared again after the stream was drained, until it is
 * gone, or until none has gone for some seconds.
 */
public final class IndexComparison {
  /** Longer than an event takes from the stream into an index that works. */
  public static final Duration SETTLING = Duration.ofSeconds(10);

  private static final Duration EACH_LOOK = Duration.ofMillis(100);

  /** The most ids that are compared again; each further one counts as drift. */
  private static final int REMEMBERED = 200_000;

  private static final int EXAMPLES = 10;

  private final IndexWalk walk;
  private final IndexUpkeep index;
  private final Duration settling;

  /**
   * @param settling how long the index may be behind the stream
   */
  public IndexComparison(Table table, IndexUpkeep index, Duration settling) {
    this.walk = new IndexWalk(table, index);
    this.index = index;
    this.settling = settling;
  }

  /** What one direction has compared. */
  private static final class Direction {
    private final Map<EntryKind, Set<String>> differing = new EnumMap<>(EntryKind.class);
    private long compared;
    private long beyond;

    void add(EntryKind kind, int more, List<String> ids) {
      compared += more;
      var all = differing.computeIfAbsent(kind, _ -> new LinkedHashSet<>());
      for (var id : ids) {
        if (all.size() < REMEMBERED) {
          all.add(id);
        } else {
          beyond++;
        }
      }
    }

    long size() {
      return differing.values().stream().mapToLong(Set::size).sum();
    }

    boolean isClean() {
      return size() == 0;
    }
  }

  /**
   * Compares both.
   *
   * @param drain returns when the stream has caught up
   * @param isRepaired whether to correct the index at the differences that remain
   */
  public Report compare(Runnable drain, boolean isRepaired) {
    var rows = new Direction();
    walk.table(rows::add);
    var entries = new Direction();
    walk.index(entries::add);
    if (!rows.isClean() || !entries.isClean()) {
      drain.run();
    }
    settle(List.of(rows, entries));
    if (isRepaired) {
      correct(rows);
      correct(entries);
    }
    return new Report(List.of(line("rows in the index", rows), line("index entries", entries)));
  }

  /**
   * Compares again until nothing differs, or the index has not followed in any place for its time.
   * Half of the time is left to others.
   */
  private void settle(List<Direction> directions) {
    long differing = Long.MAX_VALUE;
    long until = System.nanoTime() + settling.toNanos();
    while (true) {
      long began = System.nanoTime();
      directions.forEach(
          direction ->
              direction.differing.replaceAll(
                  (kind, ids) ->
                      new LinkedHashSet<>(walk.differences(kind, List.copyOf(ids)).keySet())));
      long left = directions.stream().mapToLong(Direction::size).sum();
      long now = System.nanoTime();
      if (left < differing) {
        differing = left;
        until = now + settling.toNanos();
      }
      if (left == 0 || now - until > 0) {
        return;
      }
      LockSupport.parkNanos(Math.max(EACH_LOOK.toNanos(), now - began));
    }
  }

  private void correct(Direction direction) {
    direction.differing.forEach(
        (kind, ids) ->
            ids.stream()
                .gather(Gatherers.windowFixed(IndexWalk.TOGETHER))
                .forEach(some -> index.align(kind, some)));
  }

  private Report.Line line(String name, Direction direction) {
    var problems = new TreeMap<String, String>();
    direction.differing.forEach(
        (kind, ids) -> problems.putAll(walk.differences(kind, List.copyOf(ids))));
    return new Report.Line(
        name,
        direction.compared,
        problems.size() + direction.beyond,
        problems.values().stream().limit(EXAMPLES).toList());
  }

  /**
   * Returns a sentence for each entry of the index that names an account: its own and its posts, at
   * most a hundred. Waits until there is none, or the index had its time.
   *
   * @param drain returns when the stream has caught up, called where there is any
   */
  public List<String> naming(String userId, Runnable drain) {
    var named = named(userId);
    if (!named.isEmpty()) {
      drain.run();
    }
    long until = System.nanoTime() + settling.toNanos();
    while (!named.isEmpty() && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(EACH_LOOK.toNanos());
      named = named(userId);
    }
    return named;
  }

  private List<String> named(String userId) {
    var own =
        index.states(EntryKind.ACCOUNT, List.of(userId)).stream()
            .filter(state -> !state.isDeleted())
            .map(IndexState::id)
            .map(id -> "the search index has the account " + id);
    var posts = index.postsOf(userId).stream().map(id -> "the search index has its post " + id);
    return new ArrayList<>(Stream.concat(own, posts).toList());
  }
}
