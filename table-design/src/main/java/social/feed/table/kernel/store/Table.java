package social.feed.table.kernel.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import social.feed.table.kernel.cost.CostInterceptor;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.PositionedSchema;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.trace.Tracing;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbIndex;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * The table that the stores share: single writes on conditions, transactions and batch calls for
 * rows of every kind. A single write that meets a transaction on the same item is repeated, and
 * fails with a {@link ThrottledException} after the last attempt. Thread-safe.
 */
public final class Table {
  private static final int BATCH_GET = 100;
  private static final int BATCH_WRITE = 25;

  /** Requested where it is cheap to do so, or {@link CostInterceptor} would copy the request. */
  private static final ReturnConsumedCapacity UNITS = ReturnConsumedCapacity.TOTAL;

  private final DynamoDbClient client;
  private final DynamoDbEnhancedClient enhanced;
  private final String name;
  private final Retry retry;

  public Table(DynamoDbClient client, String name, Retry retry) {
    this.client = client;
    this.enhanced =
        DynamoDbEnhancedClient.builder().dynamoDbClient(client).extensions(List.of()).build();
    this.name = name;
    this.retry = retry;
  }

  /**
   * Adds the metering of cost and of written items, which every client of the table needs, whatever
   * its endpoint.
   */
  public static DynamoDbClientBuilder metered(DynamoDbClientBuilder builder) {
    return builder.overrideConfiguration(
        builder.overrideConfiguration().toBuilder()
            .addExecutionInterceptor(new CostInterceptor())
            .addExecutionInterceptor(new WrittenItems())
            .build());
  }

  /**
   * Sets how the SDK itself repeats single calls, for processes that resume from one snapshot: with
   * pauses that differ between them, and otherwise as by default.
   */
  public static DynamoDbClientBuilder retrying(DynamoDbClientBuilder builder) {
    return builder.overrideConfiguration(
        builder.overrideConfiguration().toBuilder().retryStrategy(CallRetries::configure).build());
  }

  /**
   * Sets how the SDK itself repeats single calls: as often as a {@link Retry}, with its pauses. At
   * least half of a pause after throttling is waited.
   */
  public static DynamoDbClientBuilder retrying(DynamoDbClientBuilder builder, Retry retry) {
    return builder.overrideConfiguration(
        builder.overrideConfiguration().toBuilder()
            .retryStrategy(strategy -> CallRetries.configure(strategy, retry))
            .build());
  }

  /**
   * Returns what gives the calls of a client spans, and the items that they put the context of the
   * trace. It comes after all other interceptors of the client.
   */
  public static ExecutionInterceptor traced(Tracing tracing) {
    return new TracedCalls(tracing);
  }

  public DynamoDbClient client() {
    return client;
  }

  public DynamoDbEnhancedClient enhanced() {
    return enhanced;
  }

  public String name() {
    return name;
  }

  /** Repeats what meets concurrent writes. */
  public Retry retry() {
    return retry;
  }

  /** The table as rows of one kind. */
  public <R extends Record & Row> DynamoDbTable<R> of(Class<R> type) {
    return enhanced.table(name, RecordSchema.of(type));
  }

  /** An index as the records that it projects, each with its position. */
  <R extends Record> DynamoDbIndex<Positioned<R>> index(Index index, Class<R> type) {
    return enhanced
        .table(name, new PositionedSchema<>(RecordSchema.of(type), index.sortKey()))
        .index(index.indexName());
  }

  /**
   * Returns the item at a key, strongly consistent. One read unit for 4 KB, also without an item.
   */
  public Optional<Map<String, AttributeValue>> get(Key key) {
    var response =
        client.getItem(
            g ->
                g.tableName(name)
                    .key(KeyAttributes.of(key))
                    .consistentRead(true)
                    .returnConsumedCapacity(UNITS));
    return response.hasItem() ? Optional.of(response.item()) : Optional.empty();
  }

  /** Starts a transaction. */
  public Transaction transaction() {
    return new Transaction(this);
  }

  /**
   * Writes a row on a condition. One write unit a KB, and one for each index that holds the row.
   */
  public WriteOutcome put(Row row, Condition condition) {
    return conditional(
        row.key(),
        () ->
            client.putItem(
                p ->
                    p.tableName(name)
                        .item(RowCodec.encode(row))
                        .conditionExpression(condition.text())
                        .expressionAttributeNames(condition.names(Map.of()))
                        .expressionAttributeValues(condition.values(Map.of()))
                        .returnValuesOnConditionCheckFailure(condition.onFailure())
                        .returnConsumedCapacity(UNITS)));
  }

  /**
   * Updates an item on a condition. One write unit a KB of the item, and those of the indexes that
   * show the change. Without {@link Condition#present()} the update may create the item.
   */
  public WriteOutcome update(Key key, Update update, Condition condition) {
    return conditional(key, () -> client.updateItem(request(key, update, condition).build()));
  }

  /** As {@link #update}; returns the item after the update, empty when the condition failed. */
  public Optional<Map<String, AttributeValue>> updateAndGet(
      Key key, Update update, Condition condition) {
    var request = request(key, update, condition).returnValues(ReturnValue.ALL_NEW).build();
    try {
      return Optional.of(single(key, () -> client.updateItem(request)).attributes());
    } catch (ConditionalCheckFailedException e) {
      return Optional.empty();
    }
  }

  private WriteOutcome conditional(Key key, Supplier<?> write) {
    try {
      single(key, write);
      return WriteOutcome.done();
    } catch (ConditionalCheckFailedException e) {
      return WriteOutcome.failedAt(key, e);
    }
  }

  /** Repeats a write that met a transaction on the same item. The SDK does not. */
  private <T> T single(Key key, Supplier<T> write) {
    return retry.until(
        "Write of " + key,
        () -> {
          try {
            return Optional.of(write.get());
          } catch (TransactionConflictException e) {
            return Optional.empty();
          }
        });
  }

  private UpdateItemRequest.Builder request(Key key, Update update, Condition condition) {
    return UpdateItemRequest.builder()
        .tableName(name)
        .key(KeyAttributes.of(key))
        .updateExpression(update.text())
        .conditionExpression(condition.text())
        .expressionAttributeNames(condition.names(update.names()))
        .expressionAttributeValues(condition.values(update.values()))
        .returnValuesOnConditionCheckFailure(condition.onFailure())
        .returnConsumedCapacity(UNITS);
  }

  /**
   * Deletes the item at a key; there may be none. One write unit a KB, and those of its indexes.
   */
  public void delete(Key key) {
    single(
        key,
        () ->
            client.deleteItem(
                d -> d.tableName(name).key(KeyAttributes.of(key)).returnConsumedCapacity(UNITS)));
  }

  /** As {@link #delete(Key)}; returns whether there was an item. */
  public boolean deleteExisting(Key key) {
    return single(
            key,
            () ->
                client.deleteItem(
                    d ->
                        d.tableName(name)
                            .key(KeyAttributes.of(key))
                            .returnValues(ReturnValue.ALL_OLD)
                            .returnConsumedCapacity(UNITS)))
        .hasAttributes();
  }

  /** Deletes the item at a key on a condition. Costs as {@link #delete(Key)}. */
  public WriteOutcome delete(Key key, Condition condition) {
    return conditional(
        key,
        () ->
            client.deleteItem(
                d ->
                    d.tableName(name)
                        .key(KeyAttributes.of(key))
                        .conditionExpression(condition.text())
                        .expressionAttributeNames(condition.names(Map.of()))
                        .expressionAttributeValues(condition.values(Map.of()))
                        .returnValuesOnConditionCheckFailure(condition.onFailure())
                        .returnConsumedCapacity(UNITS)));
  }

  /**
   * Returns the rows at some keys, in no order, absent ones left out. Half a read unit a key and 4
   * KB, one when strong.
   *
   * @param strong whether the read is strongly consistent
   * @throws ThrottledException when keys stay unprocessed
   */
  public List<Row> getAll(Collection<Key> keys, boolean strong) {
    var rows = new ArrayList<Row>();
    itemsAt(keys, strong).forEach(item -> rows.add(RowCodec.decode(item)));
    return rows;
  }

  /**
   * As {@link #getAll}, but returns the items as stored, also those that no row can be read from.
   */
  public List<Map<String, AttributeValue>> itemsAt(Collection<Key> keys, boolean strong) {
    var items = new ArrayList<Map<String, AttributeValue>>();
    for (var chunk : chunks(List.copyOf(new LinkedHashSet<>(keys)), BATCH_GET)) {
      items.addAll(getChunk(chunk.stream().map(KeyAttributes::of).toList(), strong));
    }
    return items;
  }

  /**
   * Writes whole rows, 25 a call, and returns when all are written. Each row is atomic, the whole
   * is not. Among rows with one key the last is written.
   *
   * @throws ThrottledException when rows stay unprocessed; some may have been written
   */
  public void putAll(Collection<? extends Row> rows) {
    var last = new LinkedHashMap<Key, Row>();
    rows.forEach(row -> last.put(row.key(), row));
    writeAll(
        List.copyOf(last.values()),
        row -> {
          var put = PutRequest.builder().item(RowCodec.encode(row)).build();
          return WriteRequest.builder().putRequest(put).build();
        });
  }

  /**
   * Deletes the items at some keys; absent ones are no error.
   *
   * @throws ThrottledException when keys stay unprocessed; some may have been deleted
   */
  public void deleteAll(Collection<Key> keys) {
    writeAll(
        keys.stream().distinct().toList(),
        key -> {
          var delete = DeleteRequest.builder().key(KeyAttributes.of(key)).build();
          return WriteRequest.builder().deleteRequest(delete).build();
        });
  }

  /** Makes the requests of one call at a time: an item as a request is larger than what it says. */
  private <T> void writeAll(List<T> all, Function<T, WriteRequest> request) {
    chunks(all, BATCH_WRITE).forEach(chunk -> writeChunk(chunk.stream().map(request).toList()));
  }

  private void writeChunk(List<WriteRequest> chunk) {
    retry.onRest(
        "BatchWriteItem",
        chunk,
        left -> {
          var response =
              client.batchWriteItem(
                  b -> b.requestItems(Map.of(name, left)).returnConsumedCapacity(UNITS));
          return Optional.ofNullable(response.unprocessedItems().get(name))
              .filter(unprocessed -> !unprocessed.isEmpty());
        });
  }

  private List<Map<String, AttributeValue>> getChunk(
      List<Map<String, AttributeValue>> keys, boolean strong) {
    var found = new ArrayList<Map<String, AttributeValue>>();
    retry.onRest(
        "BatchGetItem",
        keys,
        left -> {
          var request = KeysAndAttributes.builder().keys(left).consistentRead(strong).build();
          var response =
              client.batchGetItem(
                  b -> b.requestItems(Map.of(name, request)).returnConsumedCapacity(UNITS));
          found.addAll(response.responses().getOrDefault(name, List.of()));
          return Optional.ofNullable(response.unprocessedKeys().get(name))
              .map(KeysAndAttributes::keys)
              .filter(unprocessed -> !unprocessed.isEmpty());
        });
    return found;
  }

  private static <T> List<List<T>> chunks(List<T> all, int size) {
    var chunks = new ArrayList<List<T>>();
    for (int from = 0; from < all.size(); from += size) {
      chunks.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return chunks;
  }
}
