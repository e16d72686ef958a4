package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.kernel.store.ThrottledException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.sqs.model.SqsException;

class FailuresTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ProvisionedThroughputExceededException",
        "ThrottlingException",
        "RequestLimitExceeded",
        "TransactionConflictException",
        "TransactionInProgressException",
        "ReplicatedWriteConflictException",
        "AccessDeniedException",
        "ExpiredTokenException",
        "UnrecognizedClientException",
        "ResourceNotFoundException"
      })
  void errorThatIsIndependentOfTheRecord_isRetryable(String code) {
    assertThat(Failures.isRetryable(refused(code, 400))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ValidationException",
        "ConditionalCheckFailedException",
        "ItemCollectionSizeLimitExceededException",
        "SerializationException"
      })
  void errorThatTheRecordCauses_isPermanent(String code) {
    assertThat(Failures.isRetryable(refused(code, 400))).isFalse();
  }

  @Test
  void error_ofTheService_isRetryable() {
    assertThat(Failures.isRetryable(refused("InternalServerError", 500))).isTrue();
    assertThat(Failures.isRetryable(SqsException.builder().statusCode(503).build())).isTrue();
  }

  @Test
  void lostConnectionOrTimeOut_isRetryable() {
    assertThat(Failures.isRetryable(SdkClientException.create("reset"))).isTrue();
    assertThat(Failures.isRetryable(ApiCallTimeoutException.create(5))).isTrue();
    assertThat(Failures.isRetryable(new ThrottledException("batch", 1, 8))).isTrue();
  }

  @Test
  void exceptionOfOurOwn_isPermanent() {
    assertThat(Failures.isRetryable(new IllegalArgumentException("no"))).isFalse();
    assertThat(Failures.isRetryable(new ClassCastException("no"))).isFalse();
  }

  private static DynamoDbException refused(String code, int status) {
    return (DynamoDbException)
        DynamoDbException.builder()
            .statusCode(status)
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
            .build();
  }
}
