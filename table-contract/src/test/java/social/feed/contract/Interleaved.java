package social.feed.contract;

import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Runs another call once, after all reads and before the transaction is sent. */
final class Interleaved implements ExecutionInterceptor {
  private final Runnable other;
  private final AtomicBoolean isDone = new AtomicBoolean();

  Interleaved(Runnable other) {
    this.other = other;
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (context.request() instanceof TransactWriteItemsRequest && !isDone.getAndSet(true)) {
      other.run();
    }
  }
}
