package social.feed.ctl.search;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import social.feed.search.EntryKind;
import social.feed.search.IndexEntry;
import social.feed.search.IndexState;
import social.feed.streams.index.IndexEntries;
import social.feed.streams.index.IndexUpkeep;
import social.feed.streams.index.TableIndex;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Key;

/**
 * Walks the table and the index, and finds where they differ. A difference may be one that the
 * index is about to follow, so it is compared again before anyone believes it. Holds one page in
 * memory. A walk can go on at a position of an earlier one: what changed before it meanwhile has
 * events, which the index follows.
 */
final class IndexWalk {
  /** Entries that are compared together. */
  static final int TOGETHER = 500;

  /** Items of the table between two positions, if they have less than 1 MB. */
  static final int PART = 5_000;

  /** Where the walk through the index begins, after the table. */
  private static final WalkPosition.InIndex FIRST_ENTRY =
      new WalkPosition.InIndex(EntryKind.values()[0], "");

  private final TableScanner scanner;
  private final IndexUpkeep index;
  private final int part;

  IndexWalk(Table table, IndexUpkeep index) {
    this(table, index, PART);
  }

  /**
   * @param part the most items of the table between two positions
   */
  IndexWalk(Table table, IndexUpkeep index, int part) {
    this.part = part;
    this.scanner = new TableScanner(table);
    this.index = index;
  }

  /** Receives what was compared. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Some entries of one kind were compared.
     *
     * @param compared the number of rows or entries
     * @param differing the ids of those that differ
     */
    void compared(EntryKind kind, int compared, List<String> differing);
  }

  /** Reads the whole table, strongly, and compares each row that belongs in the index. */
  void table(Visitor visitor) {
    var _ = table(null, visitor, _ -> {});
  }

  /**
   * Walks the table, then the index.
   *
   * @param from where to go on; empty for everything
   * @param reached receives each position that is reached
   */
  void all(
      Optional<WalkPosition> from, Visitor rows, Visitor entries, Consumer<WalkPosition> reached) {
    var position =
        switch (from.orElse(null)) {
          case null -> table(null, rows, reached);
          case WalkPosition.InTable(var item) -> table(item, rows, reached);
          case WalkPosition.InIndex inIndex -> inIndex;
        };
    index(position, entries, reached);
  }

  /** Returns where the walk goes on after the table. */
  private WalkPosition.InIndex table(
      @Nullable Key after, Visitor visitor, Consumer<WalkPosition> reached) {
    var end = after;
    do {
      var read = scanner.part(end, part);
      compare(read.items(), visitor);
      end = read.end();
      reached.accept(end == null ? FIRST_ENTRY : new WalkPosition.InTable(end));
    } while (end != null);
    return FIRST_ENTRY;
  }

  private void compare(List<TableScanner.Item> items, Visitor visitor) {
    var entries = new EnumMap<EntryKind, List<IndexEntry>>(EntryKind.class);
    for (var item : items) {
      if (item instanceof TableScanner.Stored stored) {
        IndexEntries.of(stored.row())
            .ifPresent(
                entry -> entries.computeIfAbsent(entry.kind(), _ -> new ArrayList<>()).add(entry));
      }
    }
    entries.forEach(
        (kind, all) ->
            all.stream()
                .gather(Gatherers.windowFixed(TOGETHER))
                .forEach(some -> compare(kind, some, visitor)));
  }

  private void compare(EntryKind kind, List<IndexEntry> entries, Visitor visitor) {
    var states = states(kind, entries.stream().map(IndexEntry::id).toList());
    visitor.compared(
        kind,
        entries.size(),
        entries.stream()
            .filter(entry -> !TableIndex.agree(states.get(entry.id()), Optional.of(entry)))
            .map(IndexEntry::id)
            .toList());
  }

  /** Reads all entries of the index, and compares each with its row. One read unit each. */
  void index(Visitor visitor) {
    index(FIRST_ENTRY, visitor, _ -> {});
  }

  private void index(WalkPosition.InIndex after, Visitor visitor, Consumer<WalkPosition> reached) {
    for (var kind : EntryKind.values()) {
      if (kind.compareTo(after.kind()) >= 0) {
        entries(kind, kind == after.kind() ? after.id() : "", visitor, reached);
      }
    }
  }

  private void entries(
      EntryKind kind, String after, Visitor visitor, Consumer<WalkPosition> reached) {
    var page = index.statesAfter(kind, after, TOGETHER);
    while (!page.isEmpty()) {
      var ids = page.stream().map(IndexState::id).toList();
      visitor.compared(kind, page.size(), List.copyOf(differences(kind, ids).keySet()));
      var last = page.getLast().id();
      reached.accept(new WalkPosition.InIndex(kind, last));
      page = page.size() < TOGETHER ? List.of() : index.statesAfter(kind, last, TOGETHER);
    }
  }

  /**
   * Returns the ids where table and index differ now, and how. Rows that cannot be read are left
   * out: another check reports them.
   */
  Map<String, String> differences(EntryKind kind, List<String> ids) {
    var differences = new HashMap<String, String>();
    ids.stream()
        .gather(Gatherers.windowFixed(TOGETHER))
        .forEach(some -> differences.putAll(differencesOfSome(kind, some)));
    return differences;
  }

  private Map<String, String> differencesOfSome(EntryKind kind, List<String> ids) {
    var states = states(kind, ids);
    var rows = new HashMap<String, Optional<IndexEntry>>();
    ids.forEach(id -> rows.put(id, Optional.empty()));
    var keys = new HashMap<Object, String>();
    ids.forEach(id -> keys.put(IndexEntries.key(kind, id), id));
    for (var item : scanner.at(ids.stream().map(id -> IndexEntries.key(kind, id)).toList())) {
      var id = keys.get(item.key());
      switch (item) {
        case TableScanner.Stored stored -> rows.put(id, IndexEntries.of(stored.row()));
        case TableScanner.Unreadable _ -> rows.remove(id);
      }
    }
    var differences = new HashMap<String, String>();
    rows.forEach(
        (id, entry) -> {
          if (!TableIndex.agree(states.get(id), entry)) {
            differences.put(id, difference(kind, id, states, entry.isPresent()));
          }
        });
    return differences;
  }

  private static String difference(
      EntryKind kind, String id, Map<String, IndexState> states, boolean belongs) {
    var state = states.get(id);
    var key = IndexEntries.key(kind, id);
    if (!belongs) {
      return "the index has " + key + ", which is gone or not public";
    }
    return state == null || state.isDeleted()
        ? "the index lacks " + key
        : "the index has another content of " + key;
  }

  private Map<String, IndexState> states(EntryKind kind, List<String> ids) {
    var states = new HashMap<String, IndexState>();
    index.states(kind, ids).forEach(state -> states.put(state.id(), state));
    return states;
  }
}
