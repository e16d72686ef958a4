package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The settings by which a function receives a stream, as in {@code
 * AWS::Lambda::EventSourceMapping}.
 *
 * @param name name of the mapping, which is also the key of its checkpoints
 * @param batchSize maximum number of records in a call, 1 to 10 000
 * @param batchingWindow longest wait for a batch to fill, 0 to 300 s
 * @param tumblingWindow length of a window whose calls share a state, 0 (none) to 900 s
 * @param parallelizationFactor concurrent calls for a shard, 1 to 10; records with the same
 *     partition key stay in order. Must be 1 with a tumbling window, whose calls are sequential
 * @param bisectBatchOnFunctionError whether to split a failing batch in two; a split uses no retry
 * @param maximumRetryAttempts retries of a batch after its first call, 0 to 10 000, or {@link
 *     #UNLIMITED_RETRIES}
 * @param maximumRecordAge age from which records are no longer delivered, 60 s to 7 days; empty for
 *     no limit. DynamoDB Local truncates times to the minute, so records appear up to 60 s older
 * @param reportBatchItemFailures whether a response may name failed records (the function response
 *     type {@code ReportBatchItemFailures}); otherwise its failures are ignored
 * @param onFailure destination of the batches that are given up
 * @param filter selects the records to deliver: the counterpart of {@code FilterCriteria}. All
 *     others count as handled
 */
public record EventSourceMapping(
    String name,
    int batchSize,
    Duration batchingWindow,
    Duration tumblingWindow,
    int parallelizationFactor,
    boolean bisectBatchOnFunctionError,
    int maximumRetryAttempts,
    Optional<Duration> maximumRecordAge,
    boolean reportBatchItemFailures,
    FailureDestination onFailure,
    Predicate<DynamodbStreamRecord> filter) {

  public static final int UNLIMITED_RETRIES = -1;

  private static final int MAX_BATCH_SIZE = 10_000;
  private static final int MAX_RETRIES = 10_000;
  private static final int MAX_FACTOR = 10;
  private static final Duration MAX_BATCHING = Duration.ofSeconds(300);
  private static final Duration MAX_TUMBLING = Duration.ofSeconds(900);
  private static final Duration MIN_AGE = Duration.ofSeconds(60);
  private static final Duration MAX_AGE = Duration.ofDays(7);

  public EventSourceMapping {
    require(!name.isBlank(), "a mapping needs a name");
    requireWithin("batchSize", batchSize, 1, MAX_BATCH_SIZE);
    requireWithin("batchingWindow", batchingWindow, Duration.ZERO, MAX_BATCHING);
    requireWithin("tumblingWindow", tumblingWindow, Duration.ZERO, MAX_TUMBLING);
    requireWithin("parallelizationFactor", parallelizationFactor, 1, MAX_FACTOR);
    requireWithin("maximumRetryAttempts", maximumRetryAttempts, UNLIMITED_RETRIES, MAX_RETRIES);
    maximumRecordAge.ifPresent(age -> requireWithin("maximumRecordAge", age, MIN_AGE, MAX_AGE));
    require(
        tumblingWindow.isZero() || parallelizationFactor == 1,
        "the calls of a tumbling window are sequential, so parallelizationFactor is 1");
  }

  /**
   * Returns a builder with Lambda's own defaults: batches of 100, no window, unlimited retries, no
   * maximum age.
   */
  public static EventSourceMappingBuilder named(String name) {
    return new EventSourceMappingBuilder(name);
  }

  boolean isTumbling() {
    return !tumblingWindow.isZero();
  }

  boolean allowsRetryAfter(int failures) {
    return maximumRetryAttempts == UNLIMITED_RETRIES || failures <= maximumRetryAttempts;
  }

  private static <T extends Comparable<T>> void requireWithin(
      String setting, T value, T min, T max) {
    require(
        value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
        "%s is %s to %s, not %s".formatted(setting, min, max, value));
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
