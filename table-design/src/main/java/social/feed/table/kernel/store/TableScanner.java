package social.feed.table.kernel.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.MalformedItemException;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.Select;

/**
 * Reads the whole table, to check it. No access pattern may use it, since it reads every item. The
 * sweep for erasures needs it as well.
 */
public final class TableScanner {
  private final Table table;

  public TableScanner(Table table) {
    this.table = table;
  }

  /** An item as it is stored. */
  public sealed interface Item {
    Key key();
  }

  /**
   * An item that is a row.
   *
   * @param item all its attributes
   * @param row the row read from them
   */
  public record Stored(Map<String, AttributeValue> item, Row row) implements Item {
    @Override
    public Key key() {
      return KeyAttributes.key(item);
    }

    /** Returns the wrong index keys of the item, a sentence each. */
    public List<String> misplacements() {
      var wanted = KeyAttributes.of(row);
      return KeyAttributes.misplaced(item, row).stream()
          .map(name -> name + " is " + text(item.get(name)) + ", not " + text(wanted.get(name)))
          .toList();
    }

    private static String text(@Nullable AttributeValue value) {
      return value == null ? "absent" : Objects.requireNonNullElseGet(value.s(), value::toString);
    }
  }

  /**
   * An item from which no row can be read, or that has another key than its row.
   *
   * @param problem the reason, in a sentence
   */
  public record Unreadable(Key key, String problem) implements Item {}

  /**
   * Returns all items, a page in memory at a time, strongly consistent. The items of a partition
   * follow each other. One read unit for each 4 KB of the table.
   */
  public Stream<List<Item>> items() {
    var request = ScanRequest.builder().tableName(table.name()).consistentRead(true).build();
    return table.client().scanPaginator(request).stream().map(page -> read(page.items()));
  }

  /**
   * A part of the table.
   *
   * @param end where the next part begins, absent at the end
   * @param units the read units that the part cost
   */
  public record Part(List<Item> items, @Nullable Key end, double units) {}

  /**
   * Returns a part of the table, for a scan in many steps. Strongly consistent. One read unit for
   * each 4 KB.
   *
   * @param after the end of the part before, absent for the first
   * @param limit the most items
   */
  public Part part(@Nullable Key after, int limit) {
    var request =
        ScanRequest.builder()
            .tableName(table.name())
            .consistentRead(true)
            .limit(limit)
            .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
    if (after != null) {
      request.exclusiveStartKey(KeyAttributes.of(after));
    }
    var page = table.client().scan(request.build());
    return part(page.items(), page.lastEvaluatedKey(), page.consumedCapacity());
  }

  /**
   * Returns a part of a partition, strongly consistent. One read unit for each 4 KB.
   *
   * @param after the sort key after which the part begins
   * @param limit the most items
   */
  public Part part(String partition, String after, int limit) {
    var page =
        table
            .client()
            .query(
                q ->
                    q.tableName(table.name())
                        .consistentRead(true)
                        .limit(limit)
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                        .keyConditionExpression("#pk = :pk AND #sk > :sk")
                        .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK))
                        .expressionAttributeValues(
                            Map.of(
                                ":pk", AttributeValue.fromS(partition),
                                ":sk", AttributeValue.fromS(after))));
    return part(page.items(), page.lastEvaluatedKey(), page.consumedCapacity());
  }

  private static Part part(
      List<Map<String, AttributeValue>> items,
      Map<String, AttributeValue> end,
      @Nullable ConsumedCapacity cost) {
    return new Part(
        read(items),
        end.isEmpty() ? null : KeyAttributes.key(end),
        cost == null ? 0 : cost.capacityUnits());
  }

  /**
   * Returns the keys in the table of items of an index partition, by the order of the index, each
   * with its sort key there. Eventually consistent. Half a read unit for 4 KB.
   *
   * @param after the sort key in the index after which the list begins
   * @param limit the most items; fewer mean the end
   */
  public SequencedMap<String, Key> keys(Index index, String partition, String after, int limit) {
    var keys = new LinkedHashMap<String, Key>();
    for (var item : table.client().query(after(index, partition, after, limit)).items()) {
      keys.put(Objects.requireNonNull(item.get(index.sortKey())).s(), KeyAttributes.key(item));
    }
    return keys;
  }

  /**
   * Returns the items at some keys without absent ones, strongly consistent. One read unit each.
   */
  public List<Item> at(Collection<Key> keys) {
    return read(table.itemsAt(keys, true));
  }

  /** Returns items as a query has read them, each a row or unreadable. No units. */
  public static List<Item> read(List<Map<String, AttributeValue>> items) {
    return items.stream().map(TableScanner::read).toList();
  }

  private static Item read(Map<String, AttributeValue> item) {
    var key = KeyAttributes.key(item);
    try {
      var row = RowCodec.decode(item);
      // An id with a separator can be read, but no index key can hold it.
      row.indexKeys();
      return row.key().equals(key)
          ? new Stored(item, row)
          : new Unreadable(key, "says that it belongs at " + row.key());
    } catch (MalformedItemException | IllegalArgumentException | ArithmeticException e) {
      return new Unreadable(key, String.valueOf(e.getMessage()));
    }
  }

  /** Returns the number of items of a partition with a sort key prefix, strongly consistent. */
  public long count(String partition, String prefix) {
    return count(
        request(BaseTable.PK, partition)
            .consistentRead(true)
            .keyConditionExpression("#pk = :pk AND begins_with(#sk, :sk)")
            .expressionAttributeNames(Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK))
            .expressionAttributeValues(
                Map.of(
                    ":pk", AttributeValue.fromS(partition), ":sk", AttributeValue.fromS(prefix))));
  }

  /**
   * Returns the items of a partition with a sort key prefix, a page in memory at a time, strongly
   * consistent. One read unit for each 4 KB.
   */
  public Stream<Item> items(String partition, String prefix) {
    return new PartitionQueries(table)
        .items(partition, prefix)
        .flatMap(List::stream)
        .map(TableScanner::read);
  }

  /**
   * Returns the number of rows of a kind in a partition that meet a condition, strongly consistent.
   * One read unit for each 4 KB of the items with the prefix.
   */
  public <R extends Row> long count(
      String partition, String prefix, Class<R> type, Predicate<R> condition) {
    return items(partition, prefix)
        .filter(item -> item instanceof Stored stored && type.isInstance(stored.row()))
        .filter(item -> condition.test(type.cast(((Stored) item).row())))
        .count();
  }

  /** Returns the number of items of an index partition, eventually consistent. */
  public long count(Index index, String partition) {
    return count(
        request(index.partitionKey(), partition)
            .indexName(index.indexName())
            .keyConditionExpression("#pk = :pk"));
  }

  /**
   * Returns the number of items of an index partition with a sort key prefix, eventually
   * consistent.
   */
  public long count(Index index, String partition, String prefix) {
    return count(
        request(index.partitionKey(), partition)
            .indexName(index.indexName())
            .keyConditionExpression("#pk = :pk AND begins_with(#sk, :sk)")
            .expressionAttributeNames(Map.of("#pk", index.partitionKey(), "#sk", index.sortKey()))
            .expressionAttributeValues(
                Map.of(
                    ":pk", AttributeValue.fromS(partition), ":sk", AttributeValue.fromS(prefix))));
  }

  /**
   * Returns the partition keys in the table of the last items of an index partition with a sort key
   * prefix, eventually consistent. Half a read unit for 4 KB.
   *
   * @param limit the most items
   */
  public List<String> partitions(Index index, String partition, String prefix, int limit) {
    var query =
        QueryRequest.builder()
            .tableName(table.name())
            .indexName(index.indexName())
            .scanIndexForward(false)
            .limit(limit)
            .keyConditionExpression("#pk = :pk AND begins_with(#sk, :sk)")
            .expressionAttributeNames(Map.of("#pk", index.partitionKey(), "#sk", index.sortKey()))
            .expressionAttributeValues(
                Map.of(":pk", AttributeValue.fromS(partition), ":sk", AttributeValue.fromS(prefix)))
            .build();
    return table.client().query(query).items().stream()
        .map(item -> KeyAttributes.key(item).partition())
        .toList();
  }

  /**
   * Returns the prefixes of all sort keys of an index partition, each once, eventually consistent.
   * One query for each, so only for keys with few distinct prefixes.
   *
   * @param length of the prefixes
   */
  public List<String> beginnings(Index index, String partition, int length) {
    var beginnings = new ArrayList<String>();
    var next = firstAfter(index, partition, Keys.FIRST, length);
    while (next.isPresent()) {
      beginnings.add(next.get());
      next = firstAfter(index, partition, next.get() + Keys.LAST, length);
    }
    return beginnings;
  }

  private Optional<String> firstAfter(Index index, String partition, String after, int length) {
    return keys(index, partition, after, 1).keySet().stream()
        .map(sort -> sort.substring(0, Math.min(length, sort.length())))
        .findFirst();
  }

  private QueryRequest after(Index index, String partition, String after, int limit) {
    return QueryRequest.builder()
        .tableName(table.name())
        .indexName(index.indexName())
        .limit(limit)
        .keyConditionExpression("#pk = :pk AND #sk > :sk")
        .expressionAttributeNames(Map.of("#pk", index.partitionKey(), "#sk", index.sortKey()))
        .expressionAttributeValues(
            Map.of(":pk", AttributeValue.fromS(partition), ":sk", AttributeValue.fromS(after)))
        .build();
  }

  private QueryRequest.Builder request(String attribute, String partition) {
    return QueryRequest.builder()
        .tableName(table.name())
        .select(Select.COUNT)
        .expressionAttributeNames(Map.of("#pk", attribute))
        .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(partition)));
  }

  private long count(QueryRequest.Builder request) {
    return table.client().queryPaginator(request.build()).stream()
        .mapToLong(page -> page.count())
        .sum();
  }
}
