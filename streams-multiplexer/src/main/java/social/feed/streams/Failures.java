package social.feed.streams;

import social.feed.table.store.ThrottledException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Tells failures that may pass from failures that stay. */
final class Failures {
  private static final int SERVER_ERROR = 500;

  private Failures() {}

  /**
   * Whether trying again can help: throttling, conflicts, time-outs and errors of a service. All
   * else is a record that will never succeed, and would block its shard until the stream forgets
   * it.
   */
  static boolean isRetryable(Throwable failure) {
    return switch (failure) {
      case ThrottledException _ -> true;
      case TransactionCanceledException _ -> true;
      case AwsServiceException e ->
          e.isThrottlingException() || e.statusCode() >= SERVER_ERROR || e.retryable();
      case SdkException _ -> true;
      default -> false;
    };
  }

  /** The failure in a line. */
  static String describe(Throwable failure) {
    return failure.getClass().getSimpleName() + ": " + failure.getMessage();
  }
}
