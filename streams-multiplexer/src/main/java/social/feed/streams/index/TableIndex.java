package social.feed.streams.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.search.EntryKind;
import social.feed.search.IndexEntry;
import social.feed.search.IndexState;
import social.feed.search.PostHit;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Key;

/**
 * A search index next to its table.
 *
 * <p>A correction reads the index first, then the table, and writes only where the index still has
 * the version that was read. A change that follows the read of the table has an event with a higher
 * version, which arrives later or makes the write fail. A change before it is in what was read.
 * Read in the other order, the table's row may be older than the index that it replaces.
 */
public final class TableIndex implements IndexUpkeep {
  private final TableScanner scanner;
  private final SearchIndex index;

  public TableIndex(Table table, SearchIndex index) {
    this.scanner = new TableScanner(table);
    this.index = index;
  }

  @Override
  public Alignment align(EntryKind kind, Collection<String> ids) {
    var meter = new CostMeter();
    var changed = meter.measure(() -> changed(kind, ids));
    return new Alignment(changed.written(), changed.removed(), meter.consumed().read());
  }

  private Alignment changed(EntryKind kind, Collection<String> ids) {
    var before = byId(states(kind, ids));
    var rows = new Rows(kind, ids);
    int written = 0;
    int removed = 0;
    try {
      for (var id : new HashSet<>(ids)) {
        var state = before.get(id);
        var entry = rows.entry(id);
        if (rows.isUnreadable(id) || agree(state, entry)) {
          continue;
        }
        var version = state == null ? SearchIndex.NO_VERSION : state.version();
        if (entry.isPresent()) {
          written += index.replace(entry.get(), version) ? 1 : 0;
        } else {
          removed += index.remove(kind, id, version) ? 1 : 0;
        }
      }
      if (written + removed > 0) {
        index.commit();
        index.refresh();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Alignment(written, removed, 0);
  }

  private static Map<String, IndexState> byId(List<IndexState> states) {
    return states.stream().collect(Collectors.toMap(IndexState::id, Function.identity()));
  }

  /** Returns whether the index has what the table has. */
  public static boolean agree(@Nullable IndexState state, Optional<IndexEntry> entry) {
    var fingerprint = state == null ? IndexState.DELETED : state.fingerprint();
    return fingerprint.equals(entry.map(IndexEntry::fingerprint).orElse(IndexState.DELETED));
  }

  /** The rows of some ids, read strongly. */
  private final class Rows {
    private final EntryKind kind;
    private final Map<Key, IndexEntry> entries = new HashMap<>();
    private final Set<Key> unreadable = new HashSet<>();

    Rows(EntryKind kind, Collection<String> ids) {
      this.kind = kind;
      var keys = ids.stream().map(id -> IndexEntries.key(kind, id)).distinct().toList();
      for (var item : scanner.at(keys)) {
        switch (item) {
          case TableScanner.Stored stored ->
              IndexEntries.of(stored.row()).ifPresent(entry -> entries.put(item.key(), entry));
          case TableScanner.Unreadable _ -> unreadable.add(item.key());
        }
      }
    }

    Optional<IndexEntry> entry(String id) {
      return Optional.ofNullable(entries.get(IndexEntries.key(kind, id)));
    }

    /** Another check reports it. The index keeps what it has. */
    boolean isUnreadable(String id) {
      return unreadable.contains(IndexEntries.key(kind, id));
    }
  }

  @Override
  public List<IndexState> states(EntryKind kind, Collection<String> ids) {
    try {
      return index.states(kind, ids);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<IndexState> statesAfter(EntryKind kind, String after, int limit) {
    try {
      return index.statesAfter(kind, after, limit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<String> postsOf(String authorId) {
    var all = new PostQuery("", authorId, null, null, null);
    try {
      index.refresh();
      return index.findPosts(all, null, SearchIndex.MAX_HITS).stream().map(PostHit::id).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
