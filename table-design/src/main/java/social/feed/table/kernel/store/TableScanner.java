package social.feed.table.kernel.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.Select;

/**
 * Walks through everything, for whoever checks the whole table. No access pattern may use it, since
 * it reads all there is. Two things that somebody asks for once need it: an export, and the walks
 * of an erasure.
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
   * @param item all that is stored
   * @param row what it says
   */
  public record Stored(Map<String, AttributeValue> item, Row row) implements Item {
    @Override
    public Key key() {
      return KeyAttributes.key(item);
    }

    /** Where an index holds it although it should not, or the other way, a sentence each. */
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
   * An item that is none of our rows, or that lies where no such row belongs.
   *
   * @param problem why not, in a sentence
   */
  public record Unreadable(Key key, String problem) implements Item {}

  /**
   * All items, a page in memory at a time, strongly consistent; those of a partition follow each
   * other. One read unit for each 4 KB of the table.
   */
  public Stream<List<Item>> items() {
    var request = ScanRequest.builder().tableName(table.name()).consistentRead(true).build();
    return table.client().scanPaginator(request).stream().map(page -> read(page.items()));
  }

  /**
   * A part of a walk.
   *
   * @param end where to go on, absent at the end of the table
   */
  public record Part(List<Item> items, @Nullable Key end) {}

  /**
   * Some items of the walk, for whoever goes through the table at leisure. Strongly consistent. One
   * read unit for each 4 KB.
   *
   * @param after where the part before ended, absent for the first
   * @param limit the most items
   */
  public Part part(@Nullable Key after, int limit) {
    var request = ScanRequest.builder().tableName(table.name()).consistentRead(true).limit(limit);
    if (after != null) {
      request.exclusiveStartKey(KeyAttributes.of(after));
    }
    var page = table.client().scan(request.build());
    return new Part(
        read(page.items()),
        page.hasLastEvaluatedKey() && !page.lastEvaluatedKey().isEmpty()
            ? KeyAttributes.key(page.lastEvaluatedKey())
            : null);
  }

  /** The items at some keys, absent ones left out, strongly consistent. One read unit each. */
  public List<Item> at(Collection<Key> keys) {
    return read(table.itemsAt(keys, true));
  }

  private static List<Item> read(List<Map<String, AttributeValue>> items) {
    return items.stream().map(TableScanner::read).toList();
  }

  private static Item read(Map<String, AttributeValue> item) {
    var key = KeyAttributes.key(item);
    try {
      var row = RowCodec.decode(item);
      // An id with a separator can be read, but no key can be made of it.
      row.indexKeys();
      return row.key().equals(key)
          ? new Stored(item, row)
          : new Unreadable(key, "says that it belongs at " + row.key());
    } catch (MalformedItemException | IllegalArgumentException | ArithmeticException e) {
      return new Unreadable(key, String.valueOf(e.getMessage()));
    }
  }

  /** How many items a partition has below a sort key prefix, strongly consistent. */
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

  /** How many items an index has in a partition, eventually consistent. */
  public long count(Index index, String partition) {
    return count(
        request(index.partitionKey(), partition)
            .indexName(index.indexName())
            .keyConditionExpression("#pk = :pk"));
  }

  /**
   * How many items an index has in a partition whose sort keys begin with a prefix, eventually
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
   * The first characters of all sort keys of an index's partition, each once, eventually
   * consistent. One query for each, so it is for keys that begin with few.
   *
   * @param length of what is wanted
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
    var query =
        QueryRequest.builder()
            .tableName(table.name())
            .indexName(index.indexName())
            .limit(1)
            .keyConditionExpression("#pk = :pk AND #sk > :sk")
            .expressionAttributeNames(Map.of("#pk", index.partitionKey(), "#sk", index.sortKey()))
            .expressionAttributeValues(
                Map.of(":pk", AttributeValue.fromS(partition), ":sk", AttributeValue.fromS(after)))
            .build();
    return table.client().query(query).items().stream()
        .map(item -> item.get(index.sortKey()))
        .map(AttributeValue::s)
        .map(sort -> sort.substring(0, Math.min(length, sort.length())))
        .findFirst();
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
