package social.feed.api.function;

import io.micronaut.function.aws.proxy.MockLambdaContext;

/**
 * The context of an invocation with the time of the function. That of the library has none left.
 */
final class TimedContext extends MockLambdaContext {
  private static final int TIMEOUT_MS = 28_000;

  @Override
  public int getRemainingTimeInMillis() {
    return TIMEOUT_MS;
  }
}
