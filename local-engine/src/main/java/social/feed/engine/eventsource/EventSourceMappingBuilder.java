package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/** Builds a mapping. {@link EventSourceMapping} describes and checks the settings. */
public final class EventSourceMappingBuilder {

  private final String name;
  private int batchSize = 100;
  private Duration batchingWindow = Duration.ZERO;
  private Duration tumblingWindow = Duration.ZERO;
  private int parallelizationFactor = 1;
  private boolean bisect;
  private int maximumRetryAttempts = EventSourceMapping.UNLIMITED_RETRIES;
  private Optional<Duration> maximumRecordAge = Optional.empty();
  private boolean reportBatchItemFailures;
  private FailureDestination onFailure = FailureDestination.logged();
  private Predicate<DynamodbStreamRecord> filter = all -> true;

  EventSourceMappingBuilder(String name) {
    this.name = name;
  }

  public EventSourceMappingBuilder batchSize(int records) {
    batchSize = records;
    return this;
  }

  public EventSourceMappingBuilder batchingWindow(Duration window) {
    batchingWindow = window;
    return this;
  }

  public EventSourceMappingBuilder tumblingWindow(Duration window) {
    tumblingWindow = window;
    return this;
  }

  public EventSourceMappingBuilder parallelizationFactor(int calls) {
    parallelizationFactor = calls;
    return this;
  }

  public EventSourceMappingBuilder bisectBatchOnFunctionError() {
    bisect = true;
    return this;
  }

  public EventSourceMappingBuilder maximumRetryAttempts(int retries) {
    maximumRetryAttempts = retries;
    return this;
  }

  public EventSourceMappingBuilder maximumRecordAge(Duration age) {
    maximumRecordAge = Optional.of(age);
    return this;
  }

  public EventSourceMappingBuilder reportBatchItemFailures() {
    reportBatchItemFailures = true;
    return this;
  }

  public EventSourceMappingBuilder onFailure(FailureDestination destination) {
    onFailure = destination;
    return this;
  }

  public EventSourceMappingBuilder filter(Predicate<DynamodbStreamRecord> selected) {
    filter = selected;
    return this;
  }

  /** Returns the mapping. Throws {@link IllegalArgumentException} that names the broken rule. */
  public EventSourceMapping build() {
    return new EventSourceMapping(
        name,
        batchSize,
        batchingWindow,
        tumblingWindow,
        parallelizationFactor,
        bisect,
        maximumRetryAttempts,
        maximumRecordAge,
        reportBatchItemFailures,
        onFailure,
        filter);
  }
}
