package social.feed.table.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.table.kernel.store.CallRetries.Pauses;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

class CallRetriesTest {
  private static DynamoDbClientBuilder builder() {
    return DynamoDbClient.builder().region(Region.US_EAST_1);
  }

  private static String strategyOf(DynamoDbClientBuilder builder) {
    try (DynamoDbClient client = builder.build()) {
      return client
          .serviceClientConfiguration()
          .overrideConfiguration()
          .retryStrategy()
          .orElseThrow()
          .toString();
    }
  }

  /** A new version of the SDK that changes its numbers is noticed here. */
  @Test
  void numbers_areThoseOfTheSdk() {
    assertThat(strategyOf(builder()))
        .contains(
            "maxAttempts=9,",
            " backoffStrategy=ExponentialDelayWithJitter(baseDelay=PT0.025S, maxDelay=PT20S)",
            "throttlingBackoffStrategy=ExponentialDelayWithHalfJitter(baseDelay=PT0.5S,"
                + " maxDelay=PT20S)");
    assertThat(strategyOf(Table.metered(Table.retrying(builder()))))
        .contains(
            "maxAttempts=9,",
            " backoffStrategy=Pauses[base=PT0.025S, ceiling=PT20S, fixed=0.0,",
            "throttlingBackoffStrategy=Pauses[base=PT0.5S, ceiling=PT20S, fixed=0.5,")
        .doesNotContain("ExponentialDelay");
  }

  @Test
  void numbers_areThoseOfARetry() {
    Retry retry =
        new Retry(50, Duration.ofMillis(100), Duration.ofSeconds(30), new Random(7), _ -> {});

    assertThat(strategyOf(Table.metered(Table.retrying(builder(), retry))))
        .contains(
            "maxAttempts=50,",
            // Otherwise lost connections of several calls at once end them after half as many.
            "circuitBreakerEnabled=false",
            " backoffStrategy=Pauses[base=PT0.1S, ceiling=PT30S, fixed=0.0,",
            "throttlingBackoffStrategy=Pauses[base=PT0.1S, ceiling=PT30S, fixed=0.5,");
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 0, 25", "0, 4, 0, 200", "0, 60, 0, 20000", "0.5, 3, 50, 100"})
  void pause_isBelowTheDoubledBase(double fixed, int attempt, int least, int longest) {
    Pauses pauses = new Pauses(Duration.ofMillis(25), Duration.ofSeconds(20), fixed, new Random(7));

    assertThat(IntStream.range(0, 2_000).mapToLong(_ -> pauses.computeDelay(attempt).toMillis()))
        .allMatch(pause -> pause >= least && pause <= longest)
        .anyMatch(pause -> pause > (least + longest) / 2)
        .anyMatch(pause -> pause < (least + longest) / 2 + 1);
  }
}
