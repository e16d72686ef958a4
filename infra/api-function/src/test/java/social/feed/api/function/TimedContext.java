package social.feed.api.function;

import io.micronaut.function.aws.proxy.MockLambdaContext;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The context of an invocation with the time of the function. That of the library has none left.
 */
final class TimedContext extends MockLambdaContext {
  private static final int TIMEOUT_MS = 28_000;
  private static final int NEAR_THE_END_MS = 5_000;

  private final AtomicInteger looks;

  /**
   * @param looks how often the function finds that it has time, before it is near its end
   */
  TimedContext(int looks) {
    this.looks = new AtomicInteger(looks);
  }

  @Override
  public int getRemainingTimeInMillis() {
    return looks.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? TIMEOUT_MS : NEAR_THE_END_MS;
  }
}
