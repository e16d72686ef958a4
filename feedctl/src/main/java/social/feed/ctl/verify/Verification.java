package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.LongConsumer;
import social.feed.table.post.Posts;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.store.Census;
import social.feed.table.store.Table;

/**
 * Compares everything that is derived with what it is derived from. It walks the table once, a page
 * in memory at a time, and looks again at what seemed wrong after the stream was drained: a table
 * that is in use is always a moment behind itself.
 */
public final class Verification {
  /** Rows that are looked at again; more than that are drift in any case. */
  private static final int MAX_SECOND_LOOK = 10_000;

  private static final int PARALLEL = 4;

  private final Table table;
  private final AuthorPosts posts;
  private final List<Check> checks;

  public Verification(Table table) {
    this.table = table;
    this.posts = new AuthorPosts(new Posts(table));
    this.checks = Checks.of(table, posts);
  }

  /**
   * Runs all checks.
   *
   * @param drain returns when the stream has caught up
   * @param progress is told how many rows were walked
   */
  public Report run(Runnable drain, LongConsumer progress) {
    drain.run();
    var results = new LinkedHashMap<Check, Tally>();
    checks.forEach(check -> results.put(check, new Tally()));
    var keys = new Tally();
    new Census(table)
        .rows()
        .forEach(
            page -> {
              keys.add(page.size(), misplaced(page));
              walk(page.stream().map(Census.Stored::row).toList(), results, progress);
            });
    if (results.values().stream().anyMatch(tally -> !tally.drifts.isEmpty())) {
      drain.run();
      posts.forget();
      results.forEach(this::lookAgain);
    }
    var lines = new ArrayList<Report.Line>();
    results.forEach((check, tally) -> lines.add(tally.line(check.name())));
    lines.add(keys.line("keys in table and indexes"));
    return new Report(lines);
  }

  private static List<Drift> misplaced(List<Census.Stored> page) {
    return page.stream()
        .flatMap(
            stored ->
                stored.misplacements().stream()
                    .map(problem -> new Drift(stored.row(), stored.row().key() + ": " + problem)))
        .toList();
  }

  private static final class Tally {
    private long compared;
    private List<Drift> drifts = new ArrayList<>();

    private synchronized void add(long rows, List<Drift> found) {
      compared += rows;
      drifts.addAll(found);
    }

    private Report.Line line(String check) {
      return new Report.Line(
          check,
          compared,
          drifts.size(),
          drifts.stream().map(Drift::problem).limit(Report.EXAMPLES).toList());
    }
  }

  private void walk(List<Row> page, Map<Check, Tally> results, LongConsumer progress) {
    var permits = new Semaphore(PARALLEL);
    var running = new ArrayList<Future<?>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      results.forEach(
          (check, tally) ->
              running.add(
                  threads.submit(
                      () -> {
                        permits.acquireUninterruptibly();
                        try {
                          var rows = page.stream().filter(check::concerns).toList();
                          tally.add(rows.size(), check.drifts(rows));
                        } finally {
                          permits.release();
                        }
                      })));
    }
    running.forEach(Verification::join);
    progress.accept(page.size());
  }

  private static void join(Future<?> future) {
    try {
      future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("A check could not be run", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  private void lookAgain(Check check, Tally tally) {
    if (tally.drifts.isEmpty() || tally.drifts.size() > MAX_SECOND_LOOK) {
      return;
    }
    List<Key> keys = tally.drifts.stream().map(drift -> drift.row().key()).distinct().toList();
    tally.drifts = check.drifts(table.getAll(keys, true));
  }
}
