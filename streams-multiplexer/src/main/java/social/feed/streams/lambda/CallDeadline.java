package social.feed.streams.lambda;

import jakarta.inject.Singleton;
import java.time.Duration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Refuses calls of the table shortly before the end of an invocation. A refused call is a retryable
 * failure of its record. So the invocation reports the first record that is not done instead of
 * timing out, and all records before it stay done. An instance of a function handles one invocation
 * at a time, so all calls of the process have the same deadline.
 */
@Singleton
final class CallDeadline implements ExecutionInterceptor {
  /** Time for the calls in progress, their retries, and the response. */
  private static final Duration RESERVE = Duration.ofSeconds(20);

  private volatile long end = Long.MAX_VALUE;

  /** Begins an invocation that Lambda ends after the given time. */
  void begin(Duration remaining) {
    var reserve = remaining.dividedBy(2);
    var usable = remaining.minus(reserve.compareTo(RESERVE) < 0 ? reserve : RESERVE);
    end = System.currentTimeMillis() + usable.toMillis();
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (System.currentTimeMillis() >= end) {
      throw SdkClientException.create(
          "The invocation is about to end. What is not done comes again");
    }
  }
}
