package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse.BatchItemFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the response of a function by the rules of "Configuring partial batch response". No
 * list, or an empty one, is success. An empty or unknown identifier fails the batch. Otherwise the
 * records from the lowest identifier on are delivered again.
 */
final class BatchResponses {

  private final boolean partial;

  BatchResponses(EventSourceMapping mapping) {
    this.partial = mapping.reportBatchItemFailures();
  }

  InvocationOutcome outcome(List<BatchRecord> batch, @Nullable TimeWindowEventResponse response) {
    if (!partial || response == null || response.getBatchItemFailures() == null) {
      return new InvocationOutcome.Handled();
    }
    int lowest = batch.size();
    for (BatchItemFailure failure : response.getBatchItemFailures()) {
      int index = index(batch, failure == null ? null : failure.getItemIdentifier());
      if (index < 0) {
        return new InvocationOutcome.Failed(
            "The response names a record that is not in the batch: " + failure);
      }
      lowest = Math.min(lowest, index);
    }
    return outcome(batch, lowest);
  }

  private static InvocationOutcome outcome(List<BatchRecord> batch, int lowest) {
    if (lowest == batch.size()) {
      return new InvocationOutcome.Handled();
    }
    String error =
        "The function reports failures from record " + batch.get(lowest).sequenceNumber();
    return lowest == 0
        ? new InvocationOutcome.Failed(error)
        : new InvocationOutcome.HandledBefore(lowest, error);
  }

  private static int index(List<BatchRecord> batch, @Nullable String identifier) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.get(i).sequenceNumber().equals(identifier)) {
        return i;
      }
    }
    return -1;
  }
}
