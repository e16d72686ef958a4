package social.feed.verify;

import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import social.feed.table.kernel.schema.MalformedItemException;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.post.Posts;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.Row;
import social.feed.table.user.CelebrityRule;

/**
 * Reads the whole table once, and reads the rows again where drift was found. Writes nothing. One
 * thread runs it; another may ask what it has found.
 */
final class Inspection {
  /** The rows that are checked again, or repaired, together. */
  static final int TOGETHER = 200;

  private final TableScanner scanner;
  private final AuthorPosts authors;
  private final List<Check> checks;

  /** What the last walk has found. */
  private volatile Map<Check, DriftCandidates> candidates = Map.of();

  /** Those of the walk before, while one is not complete. */
  private volatile Map<Check, DriftCandidates> earlier = Map.of();

  Inspection(Table table, Clock clock, Optional<CelebrityRule> rule, Duration halfLife) {
    this.scanner = new TableScanner(table);
    this.authors = new AuthorPosts(new Posts(table));
    this.checks = new Checks(scanner, authors, rule, halfLife, clock).all();
  }

  /**
   * Walks the table once, one page in memory at a time.
   *
   * @param progress receives the number of items that the walk has read, after each page
   * @return the candidates of each check, in the order of the checks
   */
  Map<Check, DriftCandidates> walk(LongConsumer progress) {
    authors.clear();
    var found = new LinkedHashMap<Check, DriftCandidates>();
    checks.forEach(check -> found.put(check, new DriftCandidates()));
    earlier = candidates;
    candidates = found;
    long read = 0;
    for (var page : (Iterable<List<TableScanner.Item>>) scanner.items()::iterator) {
      walk(page, found);
      read += page.size();
      progress.accept(read);
    }
    earlier = Map.of();
    return found;
  }

  /**
   * Returns what is known if the run ends now: some of it may only have been behind. While a walk
   * is not complete, this includes what the one before has found and no repair has removed.
   */
  Report soFar() {
    return new Report(
        candidates.entrySet().stream()
            .map(
                each -> {
                  var before = earlier.getOrDefault(each.getKey(), new DriftCandidates());
                  return each.getValue().with(before).line(each.getKey().name());
                })
            .toList());
  }

  private static void walk(List<TableScanner.Item> page, Map<Check, DriftCandidates> found) {
    ParallelTasks.run(
        found.entrySet().stream()
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
   * Checks the candidates again, some rows at a time, as the stream is consumed.
   *
   * @return the drift that remains
   */
  Stream<Drift> checkAgain(Check check, DriftCandidates rows) {
    return rows.parts(TOGETHER).stream().flatMap(keys -> checkAgain(check, keys).stream());
  }

  /** Checks some rows again, not more than {@link #TOGETHER}. */
  List<Drift> checkAgain(Check check, Collection<Key> keys) {
    authors.clear();
    var items = scanner.at(keys).stream().filter(check::concerns).toList();
    return withoutErased(drifts(check, items), items);
  }

  /**
   * Returns the drifts that are not over after a further wait for the stream, and whose rows still
   * differ.
   */
  List<Drift> notOver(Check check, List<Drift> drifts) {
    authors.clear();
    var there =
        RelatedRows.at(
            drifts.stream().flatMap(drift -> drift.over().at().stream()).distinct().toList(),
            scanner);
    var areOver =
        ParallelTasks.run(
            drifts.stream().<Callable<Boolean>>map(drift -> () -> isOver(drift, there)).toList());
    var left =
        IntStream.range(0, drifts.size())
            .filter(i -> !areOver.get(i))
            .mapToObj(drifts::get)
            .toList();
    if (left.isEmpty()) {
      return left;
    }
    var rows = left.stream().map(Drift::row).collect(Collectors.toSet());
    var differing = checkAgain(check, rows).stream().map(Drift::row).collect(Collectors.toSet());
    return left.stream().filter(drift -> differing.contains(drift.row())).toList();
  }

  /** What can no longer be compared is not over. */
  private static boolean isOver(Drift drift, RelatedRows there) {
    try {
      return drift.over().isOver().test(there);
    } catch (MalformedItemException | IllegalArgumentException | ArithmeticException e) {
      return false;
    }
  }

  /**
   * Leaves out rows of accounts whose erasure is in progress. What handlers write late stays until
   * a sweep, which removes the row or the account from it. A wrong index key is drift all the same.
   * One read unit for each account of these rows.
   */
  private List<Drift> withoutErased(List<Drift> found, List<TableScanner.Item> items) {
    if (found.isEmpty()) {
      return found;
    }
    var accounts = new HashMap<Key, Set<Key>>();
    for (var item : items) {
      if (item instanceof TableScanner.Stored stored) {
        accounts.put(item.key(), erasures(stored.row()));
      }
    }
    var mayBeErased =
        found.stream()
            .flatMap(drift -> accounts.getOrDefault(drift.row(), Set.of()).stream())
            .distinct()
            .toList();
    var there = RelatedRows.at(mayBeErased, scanner);
    return found.stream()
        .filter(
            drift ->
                drift.isOfRow()
                    || accounts.getOrDefault(drift.row(), Set.of()).stream()
                        .noneMatch(key -> isInProgress(key, there)))
        .toList();
  }

  /**
   * Returns where the erasures are that remove a row. A post stays without a mention, a quota
   * without a special follow, and the removal of a post goes on behind any reader.
   */
  private static Set<Key> erasures(Row row) {
    var accounts =
        switch (row) {
          case Post post -> Set.of(post.authorId());
          case FollowQuota quota -> Set.of(quota.userId());
          case PostCleanUp _ -> Set.<String>of();
          default -> row.referencedAccounts();
        };
    return accounts.stream().map(Erasure::key).collect(Collectors.toUnmodifiableSet());
  }

  private static boolean isInProgress(Key erasure, RelatedRows there) {
    return there.isUnreadable(erasure)
        || there
            .get(erasure, Erasure.class)
            .filter(found -> found.step() != ErasureStep.ERASED)
            .isPresent();
  }

  /** Compares rows one by one if one of them cannot be compared, so that it hides no other. */
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
