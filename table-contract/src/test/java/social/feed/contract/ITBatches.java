package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Row;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Items that a batch call leaves unprocessed are retried. The local engine never leaves any. */
@ExtendWith(EngineExtension.class)
class ITBatches {
  @Test
  void putAll_partlyUnprocessed_writesAll(TestTable table) {
    var rows = rows(60);
    try (var faulty = FaultyTable.of(table, new Unprocessed(3))) {
      faulty.table().putAll(rows);
    }

    assertThat(stored(table, rows)).isEqualTo(60);
  }

  @Test
  void deleteAll_partlyUnprocessed_deletesAll(TestTable table) {
    var rows = rows(60);
    table.table().putAll(rows);
    try (var faulty = FaultyTable.of(table, new Unprocessed(3))) {
      faulty.table().deleteAll(rows.stream().map(Row::key).toList());
    }

    assertThat(stored(table, rows)).isZero();
  }

  @Test
  void getAll_partlyUnprocessed_findsAllOnce(TestTable table) {
    var rows = rows(150);
    table.table().putAll(rows);
    try (var faulty = FaultyTable.of(table, new Unprocessed(3))) {
      assertThat(faulty.table().getAll(rows.stream().map(Row::key).toList(), true))
          .containsExactlyInAnyOrderElementsOf(rows);
    }
  }

  @Test
  void putAll_alwaysUnprocessed_isThrottledAfterItsAttempts(TestTable table) {
    var fault = new Unprocessed(Integer.MAX_VALUE);
    try (var faulty = FaultyTable.of(table, fault)) {
      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> faulty.table().putAll(rows(20)))
          .withMessageContaining("BatchWriteItem")
          .withMessageContaining("1 items")
          .withMessageContaining(FaultyTable.ATTEMPTS + " attempts");
    }
    assertThat(fault.sizes).containsExactly(20, 10, 5, 3, 2);
  }

  @Test
  void getAll_alwaysUnprocessed_isThrottledAfterItsAttempts(TestTable table) {
    var rows = rows(20);
    var fault = new Unprocessed(Integer.MAX_VALUE);
    try (var faulty = FaultyTable.of(table, fault)) {
      assertThatExceptionOfType(ThrottledException.class)
          .isThrownBy(() -> faulty.table().getAll(rows.stream().map(Row::key).toList(), false))
          .withMessageContaining("BatchGetItem");
    }
    assertThat(fault.sizes).hasSize(FaultyTable.ATTEMPTS);
  }

  @Test
  void batches_ofManyRows_haveTheSizeThatTheServiceAllows(TestTable table) {
    var rows = rows(130);
    var fault = new Unprocessed(0);
    try (var faulty = FaultyTable.of(table, fault)) {
      faulty.table().putAll(rows);
      faulty.table().getAll(rows.stream().map(Row::key).toList(), false);
    }

    assertThat(fault.sizes).containsExactly(25, 25, 25, 25, 25, 5, 100, 30);
  }

  @Test
  void putAll_ofTwoRowsOfOneKey_writesTheLast(TestTable table) {
    var rows = rows(30);
    var later =
        rows.stream().map(row -> new ProcessedEvent(row.name(), row.expiresAt() + 1)).toList();

    table.table().putAll(Stream.concat(rows.stream(), later.stream()).toList());

    assertThat(table.table().getAll(rows.stream().map(Row::key).toList(), true))
        .containsExactlyInAnyOrderElementsOf(later);
  }

  @Test
  void batches_withoutRows_sendNothing(TestTable table) {
    table.requests().take();
    table.table().putAll(List.of());
    table.table().deleteAll(List.of());

    assertThat(table.table().getAll(List.of(), true)).isEmpty();
    assertThat(table.requests().take()).isEmpty();
  }

  private static int stored(TestTable table, List<ProcessedEvent> rows) {
    return table.table().getAll(rows.stream().map(Row::key).toList(), true).size();
  }

  private static List<ProcessedEvent> rows(int count) {
    return IntStream.range(0, count)
        .mapToObj(_ -> new ProcessedEvent(Names.fresh(), 1_900_000_000L))
        .toList();
  }

  /** Leaves half of each of the first batch calls unprocessed, and reports it in the response. */
  private static final class Unprocessed implements ExecutionInterceptor {
    private static final ExecutionAttribute<List<WriteRequest>> WRITES =
        new ExecutionAttribute<>("HeldWrites");
    private static final ExecutionAttribute<BatchGetItemRequest> READS =
        new ExecutionAttribute<>("HeldReads");
    private final List<Integer> sizes = new ArrayList<>();
    private int calls;

    Unprocessed(int calls) {
      this.calls = calls;
    }

    @Override
    public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
      return switch (context.request()) {
        case BatchWriteItemRequest r -> writeLess(r, attributes);
        case BatchGetItemRequest r -> readLess(r, attributes);
        case SdkRequest r -> r;
      };
    }

    private SdkRequest writeLess(BatchWriteItemRequest request, ExecutionAttributes attributes) {
      var entry = request.requestItems().entrySet().iterator().next();
      var all = entry.getValue();
      int now = processed(all.size());
      attributes.putAttribute(WRITES, all.subList(now, all.size()));
      return request.toBuilder().requestItems(Map.of(entry.getKey(), all.subList(0, now))).build();
    }

    private SdkRequest readLess(BatchGetItemRequest request, ExecutionAttributes attributes) {
      var entry = request.requestItems().entrySet().iterator().next();
      var keys = entry.getValue().keys();
      int now = processed(keys.size());
      var left = entry.getValue().toBuilder().keys(keys.subList(now, keys.size())).build();
      var some = entry.getValue().toBuilder().keys(keys.subList(0, now)).build();
      attributes.putAttribute(
          READS, request.toBuilder().requestItems(Map.of(entry.getKey(), left)).build());
      return request.toBuilder().requestItems(Map.of(entry.getKey(), some)).build();
    }

    private int processed(int size) {
      sizes.add(size);
      return calls-- > 0 ? Math.max(1, size / 2) : size;
    }

    @Override
    public SdkResponse modifyResponse(
        Context.ModifyResponse context, ExecutionAttributes attributes) {
      return switch (context.response()) {
        case BatchWriteItemResponse r ->
            withWrites(
                r, (BatchWriteItemRequest) context.request(), attributes.getAttribute(WRITES));
        case BatchGetItemResponse r -> withReads(r, attributes.getAttribute(READS));
        case SdkResponse r -> r;
      };
    }

    private static SdkResponse withWrites(
        BatchWriteItemResponse response, BatchWriteItemRequest request, List<WriteRequest> held) {
      var table = request.requestItems().keySet().iterator().next();
      return held.isEmpty()
          ? response
          : response.toBuilder().unprocessedItems(Map.of(table, held)).build();
    }

    private static SdkResponse withReads(BatchGetItemResponse response, BatchGetItemRequest held) {
      return held.requestItems().values().iterator().next().keys().isEmpty()
          ? response
          : response.toBuilder().unprocessedKeys(held.requestItems()).build();
    }
  }
}
