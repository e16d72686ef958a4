package social.feed.api.edge.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.kernel.store.ThrottledException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ItemCollectionSizeLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.LimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ThrottlingException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

class TableFailuresTest {
  private static final int REFUSED = 400;

  /** None has a status or an error code here, so each is recognized by its type. */
  static Stream<Throwable> transientFailures() {
    return Stream.of(
        ProvisionedThroughputExceededException.builder().build(),
        RequestLimitExceededException.builder().build(),
        ThrottlingException.builder().build(),
        LimitExceededException.builder().build(),
        InternalServerErrorException.builder().build(),
        TransactionConflictException.builder().build(),
        TransactionInProgressException.builder().build(),
        DynamoDbException.builder().statusCode(500).build(),
        ApiCallTimeoutException.create(5),
        ApiCallAttemptTimeoutException.create(5),
        SdkClientException.create("reset", new IOException("reset")),
        new ThrottledException("batch", 1, 8));
  }

  @ParameterizedTest
  @MethodSource("transientFailures")
  void failureOfTheMoment_isTransient_alsoAsACause(Throwable failure) {
    assertThat(TableFailures.isTransient(failure)).isTrue();
    assertThat(TableFailures.isTransient(new IllegalStateException(failure))).isTrue();
  }

  static Stream<Throwable> defects() {
    return Stream.of(
        ResourceNotFoundException.builder().statusCode(REFUSED).build(),
        ConditionalCheckFailedException.builder().statusCode(REFUSED).build(),
        ItemCollectionSizeLimitExceededException.builder().statusCode(REFUSED).build(),
        DynamoDbException.builder().statusCode(REFUSED).build(),
        new IllegalArgumentException("no"));
  }

  @ParameterizedTest
  @MethodSource("defects")
  void defect_isNotTransient(Throwable failure) {
    assertThat(TableFailures.isTransient(failure)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"TransactionConflict", "ProvisionedThroughputExceeded", "ThrottlingError"})
  void transaction_thatAnotherRequestCancelled_isTransient(String code) {
    assertThat(TableFailures.isTransient(cancelled("None", code))).isTrue();
  }

  @Test
  void transaction_thatItsConditionCancelled_isNotTransient() {
    assertThat(TableFailures.isTransient(cancelled("ConditionalCheckFailed"))).isFalse();
  }

  private static TransactionCanceledException cancelled(String... codes) {
    return TransactionCanceledException.builder()
        .cancellationReasons(
            Stream.of(codes).map(code -> CancellationReason.builder().code(code).build()).toList())
        .build();
  }
}
