package social.feed.table.store;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import social.feed.table.declaration.BaseTable;
import social.feed.table.declaration.Index;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.schema.RowCodec;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.Select;

/**
 * Walks through everything, for whoever checks or moves the whole table. No access pattern of the
 * platform may use it: it reads all there is.
 */
public final class Census {
  private final Table table;

  public Census(Table table) {
    this.table = table;
  }

  /**
   * A row as it is stored.
   *
   * @param row what the item says
   * @param misplacements where its keys say something else, a sentence each
   */
  public record Stored(Row row, List<String> misplacements) {
    static Stored of(Map<String, AttributeValue> item) {
      var row = RowCodec.decode(item);
      return new Stored(row, KeyAttributes.misplacements(item, row));
    }
  }

  /**
   * All rows, a page in memory at a time, strongly consistent; the rows of a partition follow each
   * other. One read unit for each 4 KB of the table.
   *
   * @throws social.feed.table.schema.MalformedItemException at a row that nobody knows
   */
  public Stream<List<Stored>> rows() {
    var request = ScanRequest.builder().tableName(table.name()).consistentRead(true).build();
    return table.client().scanPaginator(request).stream()
        .map(page -> page.items().stream().map(Stored::of).toList());
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

  /** Whether there is an item at a key, strongly consistent. One read unit. */
  public boolean exists(Key key) {
    return table.get(key).isPresent();
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
