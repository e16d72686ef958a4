package social.feed.api.edge.problem;

import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.Transaction;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.LimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/** Separates transient failures of the table from defects. */
public final class TableFailures {
  private TableFailures() {}

  /** Returns whether the same request may succeed later. Examines the causes too. */
  public static boolean isTransient(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause() == t ? null : t.getCause()) {
      if (t instanceof ThrottledException || (t instanceof SdkException e && isTransient(e))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTransient(SdkException e) {
    return switch (e) {
      case ProvisionedThroughputExceededException _,
          RequestLimitExceededException _,
          ThrottlingException _,
          LimitExceededException _,
          InternalServerErrorException _,
          TransactionConflictException _,
          TransactionInProgressException _ ->
          true;
      case TransactionCanceledException cancelled ->
          cancelled.cancellationReasons().stream().anyMatch(Transaction::isTransient);
      case DynamoDbException service ->
          service.isThrottlingException() || service.statusCode() >= 500;
      case ApiCallTimeoutException _, ApiCallAttemptTimeoutException _, RetryableException _ ->
          true;
      // The client could not reach the table, or could not read its answer.
      case SdkClientException client ->
          client.retryable() || client.getCause() instanceof java.io.IOException;
      default -> e.retryable();
    };
  }
}
