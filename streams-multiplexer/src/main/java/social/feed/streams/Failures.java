package social.feed.streams;

import java.util.Set;
import social.feed.table.kernel.store.ThrottledException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** Distinguishes retryable failures from permanent ones. */
public final class Failures {
  /** Errors that the content of a record causes. All other errors are independent of the record. */
  private static final Set<String> OF_THE_RECORD =
      Set.of(
          "ValidationException",
          "ConditionalCheckFailedException",
          "ItemCollectionSizeLimitExceededException",
          "SerializationException");

  private Failures() {}

  /**
   * Whether a retry can succeed: after throttling, conflicts, time-outs, errors of a service, and
   * also with missing rights or tables, which would otherwise turn every record into a dead letter.
   * Any other failure is permanent, and the record would block its shard until the stream drops it.
   */
  public static boolean isRetryable(Throwable failure) {
    return switch (failure) {
      case ThrottledException _ -> true;
      case AwsServiceException e -> !OF_THE_RECORD.contains(code(e));
      case SdkException _ -> true;
      default -> false;
    };
  }

  private static String code(AwsServiceException failure) {
    var details = failure.awsErrorDetails();
    return details == null || details.errorCode() == null ? "" : details.errorCode();
  }

  /** Describes a failure in one line. */
  static String describe(Throwable failure) {
    return failure.getClass().getSimpleName() + ": " + failure.getMessage();
  }
}
