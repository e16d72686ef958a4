package social.feed.testkit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Delays stale reads on AWS until the last write of this JVM is a second old, so that tests see
 * up-to-date indexes. Separate tests cover stale indexes with injected faults. The SDK finds this
 * class in {@code execution.interceptors} and adds it to every client, including those of the API.
 */
public final class IndexLag implements ExecutionInterceptor {
  private static final long LAG_NANOS = Duration.ofSeconds(1).toNanos();

  /** Shared by all clients, since one may write and another read. */
  private static final AtomicLong LAST_WRITE = new AtomicLong(System.nanoTime() - LAG_NANOS);

  private final boolean isOn;
  private final AtomicLong lastWrite;
  private final LongSupplier now;
  private final LongConsumer pause;

  /** For the SDK. */
  public IndexLag() {
    this(
        EngineChoice.selected() == EngineChoice.AWS,
        LAST_WRITE,
        System::nanoTime,
        LockSupport::parkNanos);
  }

  IndexLag(boolean isOn, AtomicLong lastWrite, LongSupplier now, LongConsumer pause) {
    this.isOn = isOn;
    this.lastWrite = lastWrite;
    this.now = now;
    this.pause = pause;
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (isOn && mayBeStale(context.request())) {
      for (long left = left(); left > 0; left = left()) {
        pause.accept(left);
      }
    }
  }

  private long left() {
    return lastWrite.get() + LAG_NANOS - now.getAsLong();
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    noteWrite(context.request());
  }

  /** Records failed writes too, because they may have been applied. */
  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    noteWrite(context.request());
  }

  private void noteWrite(SdkRequest request) {
    if (isOn && isWrite(request)) {
      lastWrite.set(now.getAsLong());
    }
  }

  private static boolean isWrite(SdkRequest request) {
    return switch (request) {
      case PutItemRequest _,
          UpdateItemRequest _,
          DeleteItemRequest _,
          BatchWriteItemRequest _,
          TransactWriteItemsRequest _ ->
          true;
      default -> false;
    };
  }

  private static boolean mayBeStale(SdkRequest request) {
    return switch (request) {
      case GetItemRequest get -> !isStrong(get.consistentRead());
      case QueryRequest query -> !isStrong(query.consistentRead());
      case ScanRequest scan -> !isStrong(scan.consistentRead());
      case BatchGetItemRequest batch ->
          !batch.requestItems().values().stream()
              .map(KeysAndAttributes::consistentRead)
              .allMatch(IndexLag::isStrong);
      default -> false;
    };
  }

  private static boolean isStrong(@Nullable Boolean consistent) {
    return Boolean.TRUE.equals(consistent);
  }
}
