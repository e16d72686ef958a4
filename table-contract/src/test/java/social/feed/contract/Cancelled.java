package social.feed.contract;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Cancels the first transactions for a reason that the local engine never returns. The engine has
 * no conflicts, and rejects an invalid write with a different exception than the service. The SDK
 * does not retry canceled transactions.
 */
final class Cancelled implements ExecutionInterceptor {
  static final String CONFLICT = "TransactionConflict";
  static final String INVALID = "ValidationError";

  private final String code;
  private final AtomicInteger left;

  Cancelled(String code, int count) {
    this.code = code;
    this.left = new AtomicInteger(count);
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (context.request() instanceof TransactWriteItemsRequest request
        && left.getAndDecrement() > 0) {
      var reasons =
          IntStream.range(0, request.transactItems().size())
              .mapToObj(i -> i == 1 ? failed() : CancellationReason.builder().code("None").build())
              .toList();
      throw TransactionCanceledException.builder().cancellationReasons(reasons).build();
    }
  }

  private CancellationReason failed() {
    return CancellationReason.builder()
        .code(code)
        .item(Map.of("text", AttributeValue.fromS("what a member wrote")))
        .build();
  }
}
