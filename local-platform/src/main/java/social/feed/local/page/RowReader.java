package social.feed.local.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.RowKind;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads rows as they are stored, with the entries that the indexes have of them. */
final class RowReader {
  private static final int MOST_PARTITIONS = 16;
  private static final int MOST_ROWS = 25;
  private static final int SAMPLE = 200;

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

  /**
   * A partition.
   *
   * @param rows its first rows, in the order of their sort keys
   * @param hasMore whether there are more rows
   */
  record Partition(String pk, List<StoredRow> rows, boolean hasMore) {}

  /**
   * Returns the partitions with these keys, and then others until there are {@value
   * #MOST_PARTITIONS}, each with at most {@value #MOST_ROWS} rows. Reads a part of the table to
   * find the others.
   */
  List<Partition> partitions(Collection<String> wanted) {
    var keys = new LinkedHashSet<>(wanted);
    table.client().scan(s -> s.tableName(table.name()).limit(SAMPLE)).items().stream()
        .map(item -> KeyAttributes.key(item).partition())
        .forEach(keys::add);
    return keys.stream().limit(MOST_PARTITIONS).map(this::partition).toList();
  }

  private Partition partition(String key) {
    var found =
        table
            .client()
            .query(
                q ->
                    q.tableName(table.name())
                        .consistentRead(true)
                        .limit(MOST_ROWS)
                        .keyConditionExpression("#pk = :pk")
                        .expressionAttributeNames(Map.of("#pk", BaseTable.PK))
                        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(key))));
    return new Partition(
        key,
        found.items().stream().map(item -> row(KeyAttributes.key(item), item)).toList(),
        found.hasLastEvaluatedKey());
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
