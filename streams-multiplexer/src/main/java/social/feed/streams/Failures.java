package social.feed.streams;

import java.util.Set;
import social.feed.table.kernel.store.ThrottledException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** Tells failures that may pass from failures that stay. */
public final class Failures {
  /** Refusals that what a record says brings about; a record cannot help any other. */
  private static final Set<String> OF_THE_RECORD =
      Set.of(
          "ValidationException",
          "ConditionalCheckFailedException",
          "ItemCollectionSizeLimitExceededException",
          "SerializationException");

  private Failures() {}

  /**
   * Whether trying again can help: throttling, conflicts, time-outs, errors of a service, and also
   * missing rights or tables, which would otherwise bury every record there is. All else is a
   * record that will never succeed, and would block its shard until the stream forgets it.
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

  /** The failure in a line. */
  static String describe(Throwable failure) {
    return failure.getClass().getSimpleName() + ": " + failure.getMessage();
  }
}
