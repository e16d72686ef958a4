package social.feed.table.kernel.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.kernel.cost.CostInterceptor;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.PositionedSchema;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbIndex;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * The table that the stores share: a client, a name and the batch calls that are the same for every
 * row. Thread-safe.
 */
public final class Table {
  private static final int BATCH_GET = 100;
  private static final int BATCH_WRITE = 25;

  private final DynamoDbClient client;
  private final DynamoDbEnhancedClient enhanced;
  private final String name;
  private final Backoff backoff;

  public Table(DynamoDbClient client, String name, Backoff backoff) {
    this.client = client;
    this.enhanced =
        DynamoDbEnhancedClient.builder().dynamoDbClient(client).extensions(List.of()).build();
    this.name = name;
    this.backoff = backoff;
  }

  /** Adds what every client of the table needs, whatever its endpoint: the metering of its cost. */
  public static DynamoDbClientBuilder metered(DynamoDbClientBuilder builder) {
    return builder.overrideConfiguration(
        builder.overrideConfiguration().toBuilder()
            .addExecutionInterceptor(new CostInterceptor())
            .build());
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

  public Backoff backoff() {
    return backoff;
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

  /** The table itself as rows of one kind, each with its position. */
  <R extends Record & Row> DynamoDbTable<Positioned<R>> collection(Class<R> type) {
    return enhanced.table(name, new PositionedSchema<>(RecordSchema.of(type), BaseTable.SK));
  }

  /** The item at a key, strongly consistent. 1 read unit for 4 KB, also when there is none. */
  public Optional<Map<String, AttributeValue>> get(Key key) {
    var response =
        client.getItem(g -> g.tableName(name).key(KeyAttributes.of(key)).consistentRead(true));
    return response.hasItem() ? Optional.of(response.item()) : Optional.empty();
  }

  /**
   * The rows at some keys, in no order, absent ones left out. Half a read unit a key and 4 KB, one
   * when strong.
   *
   * @throws ThrottledException when keys stay unprocessed
   */
  public List<Row> getAll(Collection<Key> keys, boolean strong) {
    var rows = new ArrayList<Row>();
    itemsAt(keys, strong).forEach(item -> rows.add(RowCodec.decode(item)));
    return rows;
  }

  /** As {@link #getAll}, but as they are stored, whether they can be read or not. */
  public List<Map<String, AttributeValue>> itemsAt(Collection<Key> keys, boolean strong) {
    var items = new ArrayList<Map<String, AttributeValue>>();
    for (var chunk : chunks(List.copyOf(new LinkedHashSet<>(keys)), BATCH_GET)) {
      getChunk(chunk.stream().map(KeyAttributes::of).toList(), strong).forEach(items::add);
    }
    return items;
  }

  /**
   * Writes rows whole, 25 a call, and comes back when all are written. Not atomic: each row is. Of
   * rows with one key the last is written.
   *
   * @throws ThrottledException when rows stay unprocessed; some may have been written
   */
  public void putAll(Collection<? extends Row> rows) {
    var last = new LinkedHashMap<Key, Row>();
    rows.forEach(row -> last.put(row.key(), row));
    writeAll(
        last.values().stream()
            .map(row -> PutRequest.builder().item(RowCodec.encode(row)).build())
            .map(put -> WriteRequest.builder().putRequest(put).build())
            .toList());
  }

  /**
   * Deletes what is at some keys; absent ones are no error.
   *
   * @throws ThrottledException when keys stay unprocessed; some may have been deleted
   */
  public void deleteAll(Collection<Key> keys) {
    writeAll(
        keys.stream()
            .distinct()
            .map(key -> DeleteRequest.builder().key(KeyAttributes.of(key)).build())
            .map(delete -> WriteRequest.builder().deleteRequest(delete).build())
            .toList());
  }

  private void writeAll(List<WriteRequest> requests) {
    chunks(requests, BATCH_WRITE).forEach(this::writeChunk);
  }

  private void writeChunk(List<WriteRequest> chunk) {
    var left = chunk;
    for (int attempt = 1; !left.isEmpty(); attempt++) {
      if (attempt > backoff.attempts()) {
        throw new ThrottledException("BatchWriteItem", left.size(), backoff.attempts());
      }
      if (attempt > 1) {
        backoff.await(attempt - 1);
      }
      var items = Map.of(name, left);
      left =
          client
              .batchWriteItem(b -> b.requestItems(items))
              .unprocessedItems()
              .getOrDefault(name, List.of());
    }
  }

  private Stream<Map<String, AttributeValue>> getChunk(
      List<Map<String, AttributeValue>> keys, boolean strong) {
    var found = new ArrayList<Map<String, AttributeValue>>();
    var left = keys;
    for (int attempt = 1; !left.isEmpty(); attempt++) {
      if (attempt > backoff.attempts()) {
        throw new ThrottledException("BatchGetItem", left.size(), backoff.attempts());
      }
      if (attempt > 1) {
        backoff.await(attempt - 1);
      }
      var request = KeysAndAttributes.builder().keys(left).consistentRead(strong).build();
      var response = client.batchGetItem(b -> b.requestItems(Map.of(name, request)));
      found.addAll(response.responses().getOrDefault(name, List.of()));
      var unprocessed = response.unprocessedKeys().get(name);
      left = unprocessed == null ? List.of() : unprocessed.keys();
    }
    return found.stream();
  }

  private static <T> List<List<T>> chunks(List<T> all, int size) {
    var chunks = new ArrayList<List<T>>();
    for (int from = 0; from < all.size(); from += size) {
      chunks.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return chunks;
  }
}
