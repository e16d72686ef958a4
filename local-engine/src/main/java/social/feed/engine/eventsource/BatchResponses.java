package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse.BatchItemFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a function's response by the rules of "Configuring partial batch response": none or an
 * empty list is success, an empty or unknown identifier fails the batch, otherwise the lowest
 * identifier is where the batch starts again.
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
            "The response names a record that is not in the batch: " + failure, null);
      }
      lowest = Math.min(lowest, index);
    }
    return outcome(batch, lowest);
  }

  private static InvocationOutcome outcome(List<BatchRecord> batch, int lowest) {
    if (lowest == batch.size()) {
      return new InvocationOutcome.Handled();
    }
    String error = "The function reports failure from " + batch.get(lowest).sequenceNumber();
    return lowest == 0
        ? new InvocationOutcome.Failed(error, null)
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
