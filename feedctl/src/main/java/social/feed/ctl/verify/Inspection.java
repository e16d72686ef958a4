package social.feed.ctl.verify;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import social.feed.table.kernel.schema.MalformedItemException;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.post.Posts;
import social.feed.table.row.Key;
import social.feed.table.user.CelebrityRule;

/** Looks at the table: once at everything, and again at what seemed wrong. Writes nothing. */
final class Inspection {
  /** Rows that are looked at again together; each may stand for many entries of feeds. */
  private static final int TOGETHER = 200;

  private final TableScanner census;
  private final AuthorPosts authors;
  private final List<Check> checks;

  Inspection(Table table, Optional<CelebrityRule> rule, Duration halfLife) {
    this.census = new TableScanner(table);
    this.authors = new AuthorPosts(new Posts(table));
    this.checks = Checks.of(table, authors, rule, halfLife);
  }

  /**
   * Walks the table once, a page in memory at a time.
   *
   * @param progress is told how many items were walked
   * @return for each check, in their order, where it saw something wrong
   */
  Map<Check, DriftCandidates> walk(LongConsumer progress) {
    authors.forget();
    var suspects = new LinkedHashMap<Check, DriftCandidates>();
    checks.forEach(check -> suspects.put(check, new DriftCandidates()));
    census
        .items()
        .forEach(
            page -> {
              walk(page, suspects);
              progress.accept(page.size());
            });
    return suspects;
  }

  private static void walk(List<TableScanner.Item> page, Map<Check, DriftCandidates> suspects) {
    ParallelTasks.run(
        suspects.entrySet().stream()
            .<Callable<Boolean>>map(
                each ->
                    () -> {
                      var items = page.stream().filter(each.getKey()::concerns).toList();
                      each.getValue().compared(items.size());
                      drifts(each.getKey(), items).forEach(each.getValue()::add);
                      return true;
                    })
            .toList());
  }

  /**
   * Looks again at what seemed wrong, some rows at a time.
   *
   * @param before is run before each look
   * @param still is told what is wrong still
   */
  void lookAgain(
      Check check, DriftCandidates suspects, Runnable before, Consumer<List<Drift>> still) {
    for (List<Key> keys : suspects.parts(TOGETHER)) {
      before.run();
      authors.forget();
      var items = census.at(keys).stream().filter(check::concerns).toList();
      still.accept(drifts(check, items));
    }
  }

  /** One row that cannot be compared keeps none of the others from it. */
  private static List<Drift> drifts(Check check, List<TableScanner.Item> items) {
    try {
      return check.drifts(items);
    } catch (MalformedItemException | IllegalArgumentException | ArithmeticException e) {
      return items.size() == 1
          ? List.of(incomparable(items.getFirst(), e))
          : items.stream().flatMap(item -> drifts(check, List.of(item)).stream()).toList();
    }
  }

  private static Drift incomparable(TableScanner.Item item, RuntimeException why) {
    var problem = item.key() + " cannot be compared: " + why.getMessage();
    return new Drift(item.key(), problem, Repair.NONE);
  }
}
