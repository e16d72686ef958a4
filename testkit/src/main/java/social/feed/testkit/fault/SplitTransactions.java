package social.feed.testkit.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.function.Function;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Sends the writes of a transaction one after the other, as a planted bug. Each keeps its
 * condition. The first that fails ends the rest, and those before it stay.
 *
 * @param isBackwards whether the last write is sent first
 */
public record SplitTransactions(boolean isBackwards) implements Wire {
  private static final CancellationReason NONE = CancellationReason.builder().code("None").build();

  @Override
  public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
    return request instanceof TransactWriteItemsRequest transaction
        ? split(transaction, table)
        : table.apply(request);
  }

  private <Q extends DynamoDbRequest, A> A split(
      TransactWriteItemsRequest transaction, Function<Q, A> table) {
    int size = transaction.transactItems().size();
    var order = IntStream.range(0, size).boxed().toList();
    return (isBackwards ? order.reversed() : order)
        .stream()
            .map(i -> part(transaction, i, table))
            // All parts are sent, and each has the same answer.
            .reduce((_, answer) -> answer)
            .orElseThrow();
  }

  @SuppressWarnings("unchecked") // A part has the type of the original.
  private static <Q extends DynamoDbRequest, A> A part(
      TransactWriteItemsRequest transaction, int i, Function<Q, A> table) {
    var write = transaction.transactItems().get(i);
    try {
      return table.apply((Q) transaction.toBuilder().transactItems(write).build());
    } catch (TransactionCanceledException e) {
      var reasons = new ArrayList<>(Collections.nCopies(transaction.transactItems().size(), NONE));
      reasons.set(i, e.cancellationReasons().getFirst());
      throw e.toBuilder().cancellationReasons(reasons).build();
    }
  }
}
