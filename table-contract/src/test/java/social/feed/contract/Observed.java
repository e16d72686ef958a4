package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * What a call of a store answered, what it sent and what that cost.
 *
 * @param cost as the engine reported it
 */
record Observed<T>(T answer, List<SdkRequest> requests, ConsumedUnits cost) {
  static <T> Observed<T> of(TestTable table, Supplier<T> call) {
    table.requests().take();
    var meter = new CostMeter();
    T answer = meter.measure(call);
    return new Observed<>(answer, table.requests().take(), meter.consumed());
  }

  /** The one request that was sent. */
  <R extends SdkRequest> R only(Class<R> type) {
    assertThat(requests).hasSize(1).first().isInstanceOf(type);
    return type.cast(requests.getFirst());
  }

  /** What the one batch read asked for. */
  KeysAndAttributes onlyBatch() {
    return only(BatchGetItemRequest.class).requestItems().values().iterator().next();
  }
}
