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
 * The result of a store call, its requests and their cost.
 *
 * @param cost the cost that the engine reported
 */
record Observed<T>(T answer, List<SdkRequest> requests, ConsumedUnits cost) {
  static <T> Observed<T> of(TestTable table, Supplier<T> call) {
    table.requests().take();
    var meter = new CostMeter();
    T answer = meter.measure(call);
    return new Observed<>(answer, table.requests().take(), meter.consumed());
  }

  /** Returns the only request that was sent. */
  <R extends SdkRequest> R only(Class<R> type) {
    assertThat(requests).hasSize(1).first().isInstanceOf(type);
    return type.cast(requests.getFirst());
  }

  /** Returns the keys of the only batch read. */
  KeysAndAttributes onlyBatch() {
    return only(BatchGetItemRequest.class).requestItems().values().iterator().next();
  }
}
