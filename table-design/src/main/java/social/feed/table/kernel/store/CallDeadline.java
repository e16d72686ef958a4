package social.feed.table.kernel.store;

import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Fails calls of the SDK's clients that begin in the reserve at the end of an invocation, with a
 * retryable failure. So the code that calls stops, and the invocation still answers. It may be
 * stopped at any call, as by the death of its process.
 *
 * <p>A process of Lambda runs one invocation at a time. Outside of an invocation no call fails.
 */
public final class CallDeadline implements ExecutionInterceptor {
  private static final IntSupplier ALWAYS = () -> Integer.MAX_VALUE;

  private final IntUnaryOperator reserve;

  /** Returns the milliseconds that are left for calls. */
  private volatile IntSupplier left = ALWAYS;

  /**
   * @param reserve returns the reserve of an invocation that has so much time, in milliseconds; it
   *     is longer than a call takes whose connection does not answer
   */
  public CallDeadline(IntUnaryOperator reserve) {
    this.reserve = reserve;
  }

  /**
   * Runs an invocation.
   *
   * @param remaining returns the time that is left to the invocation, in milliseconds
   */
  public <R> R run(IntSupplier remaining, Supplier<R> invocation) {
    int kept = reserve.applyAsInt(remaining.getAsInt());
    left = () -> remaining.getAsInt() - kept;
    try {
      return invocation.get();
    } finally {
      left = ALWAYS;
    }
  }

  /** Returns whether calls fail now. */
  public boolean isNear() {
    return left.getAsInt() < 0;
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (isNear()) {
      throw RetryableException.create("The invocation is about to end, and no call may begin");
    }
  }
}
