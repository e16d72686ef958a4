package social.feed.local.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.RowKind;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads rows as they are stored, with the entries that the indexes have of them. */
final class RowReader {
  private final Table table;

  RowReader(Table table) {
    this.table = table;
  }

  /**
   * A row at a key.
   *
   * @param isThere whether the row exists; it may have been deleted
   * @param attributes all attributes of the item
   * @param indexes the entries of the indexes that have it
   */
  record StoredRow(
      String pk,
      String sk,
      String entity,
      boolean isThere,
      Map<String, String> attributes,
      List<IndexEntry> indexes) {}

  /** What an index has of a row: its keys there, and the names of the attributes it projects. */
  record IndexEntry(String index, String pk, String sk, List<String> attributes) {}

  /** Returns the rows at some keys, in the order of the keys. */
  List<StoredRow> at(Collection<Key> keys) {
    var there =
        table.itemsAt(keys, true).stream()
            .collect(Collectors.toMap(KeyAttributes::key, item -> item));
    return keys.stream().map(key -> row(key, there.get(key))).toList();
  }

  private static StoredRow row(Key key, @Nullable Map<String, AttributeValue> found) {
    if (found == null) {
      return new StoredRow(key.partition(), key.sort(), "", false, Map.of(), List.of());
    }
    var attributes = AttributeText.of(found);
    var entries = new ArrayList<IndexEntry>();
    for (var index : FeedTable.DECLARATION.indexes()) {
      var entry = FeedTable.DECLARATION.entry(index, attributes);
      if (!entry.isEmpty()) {
        entries.add(
            new IndexEntry(
                index.name(),
                entry.getOrDefault(index.partitionKey(), ""),
                entry.getOrDefault(index.sortKey(), ""),
                entry.keySet().stream().filter(index.projected()::contains).sorted().toList()));
      }
    }
    return new StoredRow(
        key.partition(),
        key.sort(),
        attributes.getOrDefault(RowKind.ATTRIBUTE, ""),
        true,
        attributes,
        entries);
  }
}
