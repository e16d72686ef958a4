package social.feed.testkit.fault;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/** Creates the exceptions of faults as the SDK throws them. */
final class Failing {
  private Failing() {}

  static SdkException timeOut() {
    return ApiCallTimeoutException.builder().message("No answer in time (injected)").build();
  }

  static SdkException throughputExceeded() {
    return ProvisionedThroughputExceededException.builder()
        .message("Throughput exceeded (injected)")
        .awsErrorDetails(details("ProvisionedThroughputExceededException"))
        .statusCode(400)
        .build();
  }

  static SdkException throttling() {
    return DynamoDbException.builder()
        .message("Rate exceeded (injected)")
        .awsErrorDetails(details("ThrottlingException"))
        .statusCode(400)
        .build();
  }

  static boolean isThrottling(SdkException failure) {
    return failure instanceof ProvisionedThroughputExceededException;
  }

  /** Refuses a single write of an item that is part of a transaction under way. */
  static SdkException conflict() {
    return TransactionConflictException.builder()
        .message("Transaction is ongoing for the item (injected)")
        .awsErrorDetails(details("TransactionConflictException"))
        .statusCode(400)
        .build();
  }

  static SdkException conflict(int items) {
    return cancelled("TransactionConflict", items);
  }

  /**
   * A transaction is cancelled with the reason of the item that was refused; the SDK stops then.
   */
  static SdkException throttledTransaction(int items) {
    return cancelled("ProvisionedThroughputExceeded", items);
  }

  private static SdkException cancelled(String code, int items) {
    var reasons = new CancellationReason[items];
    for (int i = 0; i < items; i++) {
      reasons[i] = CancellationReason.builder().code(i == items - 1 ? code : "None").build();
    }
    return TransactionCanceledException.builder()
        .message("Transaction cancelled (injected)")
        .awsErrorDetails(details("TransactionCanceledException"))
        .statusCode(400)
        .cancellationReasons(reasons)
        .build();
  }

  private static AwsErrorDetails details(String code) {
    return AwsErrorDetails.builder().errorCode(code).serviceName("DynamoDb").build();
  }
}
