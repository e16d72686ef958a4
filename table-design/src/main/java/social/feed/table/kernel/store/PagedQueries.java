package social.feed.table.kernel.store;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Order;
import social.feed.table.kernel.cost.CostInterceptor;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.PositionedSchema;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * Reads the pages of list patterns. A page begins after the sort key of the last item seen, which
 * is unique in its partition. So pages of any size concatenate to the same list, whatever is
 * inserted or deleted in between. Half a read unit for each 4 KB read.
 *
 * <p>The schemas of the enhanced client map the items. The requests of pages are built here: that
 * client builds schema, index and expression again for each query.
 */
public final class PagedQueries {
  private static final Map<String, String> NAMES = Map.of("#pk", BaseTable.PK, "#sk", BaseTable.SK);

  private final Table table;

  public PagedQueries(Table table) {
    this.table = table;
  }

  /** Returns a page of an index partition, eventually consistent, as every read of an index is. */
  public <R extends Record> Page<R> ofIndex(
      AccessPattern pattern, Class<R> type, String partition, PageRequest request) {
    Index index = pattern.index().orElseThrow();
    @Nullable String after = request.after();
    var query = query(pattern, request).indexName(index.indexName());
    if (after == null) {
      query
          .keyConditionExpression("#pk = :pk")
          .expressionAttributeNames(Map.of("#pk", index.partitionKey()))
          .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(partition)));
    } else {
      query
          .keyConditionExpression(
              forward(pattern) ? "#pk = :pk AND #sk > :sk" : "#pk = :pk AND #sk < :sk")
          .expressionAttributeNames(names(index))
          .expressionAttributeValues(values(partition, after));
    }
    return collect(query, new PositionedSchema<>(RecordSchema.of(type), index.sortKey()), request);
  }

  /**
   * Returns the highest sort keys of an index partition, highest first, eventually consistent. Half
   * a read unit for each 4 KB of their items.
   *
   * @param least the lowest sort key that may be returned; there need be no such item
   * @param limit the most sort keys; fewer mean that there are no others
   */
  public List<String> highestKeys(Index index, String partition, String least, int limit) {
    var query =
        query()
            .indexName(index.indexName())
            .keyConditionExpression("#pk = :pk AND #sk >= :sk")
            .expressionAttributeNames(names(index))
            .expressionAttributeValues(values(partition, least))
            .projectionExpression("#sk")
            .scanIndexForward(false)
            .limit(limit);
    var keys = new ArrayList<String>();
    @Nullable Map<String, AttributeValue> from = null;
    do {
      var response = table.client().query(query.exclusiveStartKey(from).build());
      response.items().forEach(item -> keys.add(requireNonNull(item.get(index.sortKey())).s()));
      from = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : null;
    } while (from != null && keys.size() < limit);
    return keys.size() > limit ? keys.subList(0, limit) : keys;
  }

  /**
   * Returns all items of an index partition, eventually consistent. The stream reads pages of up to
   * 1 MB as they are consumed.
   */
  public <R extends Record> Stream<R> allOfIndex(
      AccessPattern pattern, Class<R> type, String partition) {
    var query =
        QueryEnhancedRequest.builder()
            .queryConditional(QueryConditional.keyEqualTo(k -> k.partitionValue(partition)))
            .scanIndexForward(forward(pattern))
            .build();
    return table.index(pattern.index().orElseThrow(), type).query(query).stream()
        .flatMap(page -> page.items().stream())
        .map(Positioned::item);
  }

  /** Returns a page of the items of a partition with a sort key prefix, eventually consistent. */
  public <R extends Record & Row> Page<R> ofCollection(
      AccessPattern pattern, Class<R> type, String partition, String prefix, PageRequest request) {
    var query =
        query(pattern, request)
            .keyConditionExpression("#pk = :pk AND begins_with(#sk, :sk)")
            .expressionAttributeNames(NAMES)
            .expressionAttributeValues(values(partition, prefix));
    if (request.after() != null) {
      query.exclusiveStartKey(KeyAttributes.of(new Key(partition, request.after())));
    }
    return collect(query, new PositionedSchema<>(RecordSchema.of(type), BaseTable.SK), request);
  }

  private QueryRequest.Builder query(AccessPattern pattern, PageRequest request) {
    pattern.requireWithin(request);
    return query().limit(request.limit()).scanIndexForward(forward(pattern));
  }

  /** It asks for its cost, or {@link CostInterceptor} would copy it. */
  private QueryRequest.Builder query() {
    return QueryRequest.builder()
        .tableName(table.name())
        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
  }

  private static boolean forward(AccessPattern pattern) {
    return pattern.order() == Order.OLDEST_FIRST;
  }

  /** DynamoDB also ends a page at 1 MB, so one page here may take several of its pages. */
  private <R> Page<R> collect(
      QueryRequest.Builder query, TableSchema<Positioned<R>> schema, PageRequest request) {
    int limit = request.limit();
    var slots = new ArrayList<Positioned<R>>();
    boolean more;
    do {
      var response = table.client().query(query.build());
      response.items().forEach(item -> slots.add(schema.mapToItem(item)));
      more = response.hasLastEvaluatedKey();
      if (more) {
        query.exclusiveStartKey(response.lastEvaluatedKey());
      }
    } while (more && slots.size() < limit);
    boolean cut = slots.size() > limit;
    var kept = cut ? slots.subList(0, limit) : slots;
    return new Page<>(kept, more || cut ? kept.getLast().position() : null);
  }

  private static Map<String, AttributeValue> values(String partition, String sort) {
    return Map.of(":pk", AttributeValue.fromS(partition), ":sk", AttributeValue.fromS(sort));
  }

  private static Map<String, String> names(Index index) {
    return Map.of("#pk", index.partitionKey(), "#sk", index.sortKey());
  }
}
