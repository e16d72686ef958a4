package social.feed.streams.lambda;

import java.util.function.IntSupplier;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Fails calls to the table that begin in the last minute of an invocation, or the last quarter of a
 * short one, with a retryable failure. So handlers stop, and the invocation still reports the
 * record from which on everything must come again. A handler may be stopped at any call, as by the
 * death of its process.
 *
 * <p>A process of Lambda runs one invocation at a time. Outside of an invocation no call fails.
 */
final class Deadline implements ExecutionInterceptor {
  /** Longer than a call takes whose connection does not answer. */
  private static final int RESERVE_MS = 60_000;

  /** The largest part of a short invocation that is kept in reserve. */
  private static final int PART = 4;

  private static final IntSupplier ALWAYS = () -> Integer.MAX_VALUE;

  /** Returns the milliseconds that are left for calls. */
  private volatile IntSupplier left = ALWAYS;

  /**
   * Runs an invocation.
   *
   * @param remaining returns the time that is left to the invocation, in milliseconds
   */
  <R> R run(IntSupplier remaining, Supplier<R> invocation) {
    int reserve = Math.min(RESERVE_MS, remaining.getAsInt() / PART);
    left = () -> remaining.getAsInt() - reserve;
    try {
      return invocation.get();
    } finally {
      left = ALWAYS;
    }
  }

  /** Returns whether calls fail now. */
  boolean isNear() {
    return left.getAsInt() < 0;
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (isNear()) {
      throw SdkClientException.create(
          "The invocation is about to end. What is left of the batch comes again");
    }
  }
}
