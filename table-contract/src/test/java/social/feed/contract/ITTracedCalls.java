package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.ItemSize;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.trace.StoredContext;
import social.feed.table.kernel.trace.Tracing;
import social.feed.table.row.Follow;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What a trace adds to items, and to the cost of their writes. */
@ExtendWith(EngineExtension.class)
class ITTracedCalls {
  /** The name and the value of the attribute. */
  private static final int ADDED = 27;

  private static final int KB = 1_024;

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final Tracing tracing = new Tracing("test", SimpleSpanProcessor.create(spans));
  private TestTable base;
  private DynamoDbClient client;
  private Table table;

  @BeforeEach
  void start(TestTable given) {
    base = given;
    client = given.newClient(Table.traced(tracing));
    table = new Table(client, given.table().name(), given.table().retry());
  }

  @AfterEach
  void stop() {
    client.close();
    tracing.close();
  }

  private void traced(Runnable request) {
    var context = tracing.begin(Context.root(), SpanKind.SERVER, "request");
    try (var _ = context.makeCurrent()) {
      request.run();
    } finally {
      Span.fromContext(context).end();
    }
  }

  private static HandleClaim claim() {
    return new HandleClaim(Names.fresh(), "a");
  }

  private Map<String, AttributeValue> item(Row row) {
    return base.table().get(row.key()).orElseThrow();
  }

  private boolean isTraced(Row row) {
    return item(row).containsKey(StoredContext.ATTRIBUTE);
  }

  @Test
  void put_inATrace_adds27Bytes_andNothingToTheRow() {
    var traced = claim();
    var inTransaction = claim();
    var other = claim();
    traced(() -> table.put(traced, Condition.absent()));
    traced(() -> table.transaction().put(inTransaction).commit());
    table.put(other, Condition.absent());

    assertThat(ItemSize.of(item(traced))).isEqualTo(ItemSize.of(RowCodec.encode(traced)) + ADDED);
    assertThat(isTraced(inTransaction)).isTrue();
    assertThat(item(other)).isEqualTo(RowCodec.encode(other));
    assertThat(RowCodec.decode(item(traced))).isEqualTo(traced);
  }

  @Test
  void put_inATrace_addsNothingToAnIndex() {
    var edge = Follow.of(Names.fresh(), Names.fresh(), Instant.parse("2026-03-01T12:00:00Z"));
    traced(() -> table.put(edge, Condition.absent()));

    assertThat(isTraced(edge)).isTrue();
    assertThat(entries(Index.FOLLOWERS.indexName())).isNotEmpty();
    for (var index : FeedTable.DECLARATION.indexes()) {
      assertThat(entries(index.name()))
          .noneMatch(entry -> entry.containsKey(StoredContext.ATTRIBUTE));
    }
  }

  private List<Map<String, AttributeValue>> entries(String index) {
    return client.scanPaginator(s -> s.tableName(table.name()).indexName(index)).items().stream()
        .toList();
  }

  @Test
  void updatesDeletionsAndBatches_storeNoContext() {
    var updated = claim();
    var batched = claim();
    base.table().put(updated, Condition.absent());
    traced(
        () -> {
          table.update(updated.key(), new Update().set("user_id", "b"), Condition.present());
          table.putAll(List.of(batched));
        });

    assertThat(isTraced(updated)).isFalse();
    assertThat(isTraced(batched)).isFalse();
  }

  @Test
  void rowOfATrace_isRepairedAndDeletedAsItWasRead() {
    var read = claim();
    var right = new HandleClaim(read.handle(), "b");
    traced(() -> table.put(read, Condition.absent()));
    var writes = new ConditionalWrites(base.table());

    assertThat(writes.replace(read, right)).isTrue();
    assertThat(isTraced(right)).as("the other write is not of the request").isFalse();
    assertThat(writes.remove(right)).isTrue();
  }

  /** A unit a KB. The bytes matter only where they reach the next KB. */
  @Test
  void put_inATrace_costsMoreOnlyAtTheEndOfAKilobyte() {
    assertThat(units(KB - ADDED)).isEqualTo(new ConsumedUnits(0, 1));
    assertThat(units(KB - ADDED + 1)).isEqualTo(new ConsumedUnits(0, 2));
  }

  /** Returns the units of a put in a trace, of a row of this size without a trace. */
  private ConsumedUnits units(int bytes) {
    var handle = Names.fresh();
    long rest = ItemSize.of(RowCodec.encode(new HandleClaim(handle, "")));
    var row = new HandleClaim(handle, "a".repeat((int) (bytes - rest)));
    assertThat(ItemSize.of(RowCodec.encode(row))).isEqualTo(bytes);
    return base.costOf(() -> traced(() -> table.put(row, Condition.absent())));
  }

  @Test
  void concurrentCalls_areInTheSpanOfTheirCaller() {
    traced(() -> ParallelCalls.map(keys(3), 3, key -> table.get(key)));

    var request = named("request").getFirst();
    assertThat(named("DynamoDB GetItem"))
        .hasSize(3)
        .allMatch(call -> call.getParentSpanId().equals(request.getSpanId()));
  }

  @Test
  void calls_haveABoundedNumberOfSpans() {
    traced(() -> keys(Tracing.CALLS + 5).forEach(table::get));

    assertThat(named("DynamoDB GetItem")).hasSize(Tracing.CALLS);
  }

  @Test
  void failedCall_hasTheClassOfItsFailure_andNotItsMessage() {
    var taken = claim();
    table.put(taken, Condition.absent());
    traced(() -> table.put(taken, Condition.absent()));

    assertThat(named("DynamoDB PutItem"))
        .singleElement()
        .satisfies(
            call ->
                assertThat(call.getAttributes().asMap().toString())
                    .contains("ConditionalCheckFailedException")
                    .doesNotContain(taken.handle()));
  }

  private List<SpanData> named(String name) {
    return spans.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  private static List<Key> keys(int number) {
    return IntStream.range(0, number).mapToObj(_ -> claim().key()).toList();
  }
}
