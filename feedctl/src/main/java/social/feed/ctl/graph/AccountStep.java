package social.feed.ctl.graph;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.kernel.store.BulkInsert;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Erasure;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.row.User;

/**
 * Creates the accounts of a graph. If another account has the handle of an id, the id gets another
 * handle and is reported. Therefore every edge has its accounts.
 */
final class AccountStep {
  /**
   * Handles to try. Each has another hash, so the second is free unless another process took it.
   */
  private static final int HANDLES = 4;

  private final Table table;
  private final BulkInsert inserts;
  private final ImportedRows rows;
  private final ImportResult.Builder result;
  private final Set<String> without = new HashSet<>();
  private final Map<String, Instant> registeredLater = new HashMap<>();

  AccountStep(Table table, ImportedRows rows, ImportResult.Builder result) {
    this.table = table;
    this.inserts = new BulkInsert(table);
    this.rows = rows;
    this.result = result;
  }

  /** The result for some ids. */
  private static final class Part {
    private long accounts;
    private final Set<String> without = new LinkedHashSet<>();
    private final Map<String, Instant> registeredLater = new HashMap<>();
    private final List<String> renamed = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
  }

  /** Returns the ids that have an account, in their order. */
  Set<String> withAccount(Set<String> ids) {
    if (without.isEmpty()) {
      return ids;
    }
    var there = new LinkedHashSet<>(ids);
    there.removeAll(without);
    return there;
  }

  /**
   * Creates the accounts that do not exist, several transactions at a time.
   *
   * @param chunks each so small that two rows for each id fit into one transaction
   * @param step advances with the ids
   */
  void insert(List<List<String>> chunks, ImportProgress.Step step) {
    var parts =
        ParallelCalls.mapUntilFailure(
            chunks,
            GraphImport.AT_ONCE,
            ids -> {
              var part = insert(ids);
              step.advance(ids.size());
              return part;
            });
    for (var part : parts) {
      result.accounts += part.accounts;
      result.renamed.addAll(part.renamed);
      result.refused.addAll(part.refused);
      without.addAll(part.without);
      registeredLater.putAll(part.registeredLater);
    }
  }

  private Part insert(List<String> ids) {
    var part = new Part();
    Collection<String> left = notErased(ids, part);
    for (int attempt = 0; attempt < HANDLES && !left.isEmpty(); attempt++) {
      int handle = attempt;
      var written = inserts.adopt(left.stream().map(id -> rows.account(id, handle)).toList());
      part.accounts += written.size();
      if (attempt > 0) {
        written.forEach(account -> part.renamed.add(renamed(account)));
      }
      left = absent(left, written, part);
    }
    for (var id : left) {
      part.without.add(id);
      part.refused.add(id + " has no account and no edges: all its possible handles are taken");
    }
    return part;
  }

  /** Skips erased ids, which are not created again; a registration rejects them as well. */
  private List<String> notErased(List<String> ids, Part part) {
    var erased =
        table.getAll(ids.stream().map(Erasure::key).toList(), true).stream()
            .map(Row::key)
            .collect(Collectors.toSet());
    for (var id : ids) {
      if (erased.contains(Erasure.key(id))) {
        part.without.add(id);
        part.refused.add(id + " has no account and no edges: it was erased");
      }
    }
    return ids.stream().filter(id -> !part.without.contains(id)).toList();
  }

  /** Returns when an existing account was registered. */
  Instant registered(String id) {
    return registeredLater.getOrDefault(id, rows.times().start());
  }

  private String renamed(List<Row> account) {
    var claim = (HandleClaim) account.getLast();
    return "%s is @%s, because @%s is another account"
        .formatted(claim.userId(), claim.handle(), rows.handle(claim.userId(), 0));
  }

  /** Returns the ids that were not written and did not exist: another account has the handle. */
  private List<String> absent(Collection<String> ids, List<List<Row>> written, Part part) {
    var there = written.stream().map(group -> group.getFirst().key()).collect(Collectors.toSet());
    var others = new ArrayList<>(ids);
    others.removeIf(id -> there.contains(User.key(id)));
    List<Key> keys = others.stream().map(User::key).toList();
    for (var row : table.getAll(keys, true)) {
      there.add(row.key());
      if (row instanceof User user && user.createdAt().isAfter(rows.times().start())) {
        part.registeredLater.put(user.userId(), user.createdAt());
      }
    }
    others.removeIf(id -> there.contains(User.key(id)));
    return others;
  }
}
