package social.feed.api.edge.operations;

import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import social.feed.api.edge.dynamodb.DynamoDbConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/**
 * Reports the server as ready while the table can be described and accepts requests. Costs no
 * request units. The endpoint is open to everyone without a limit, so the table is described at
 * most once a second.
 */
@Singleton
@Readiness
final class TableHealth implements HealthIndicator {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration CACHED = Duration.ofSeconds(1);

  private final DynamoDbClient client;
  private final DescribeTableRequest request;
  private final Mono<HealthResult> result;

  TableHealth(
      DynamoDbClient client,
      DynamoDbConfiguration configuration,
      @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
    this.client = client;
    this.request =
        DescribeTableRequest.builder()
            .tableName(configuration.table())
            .overrideConfiguration(o -> o.apiCallTimeout(TIMEOUT))
            .build();
    this.result =
        Mono.fromCallable(this::describe)
            .onErrorResume(e -> Mono.just(result(HealthStatus.DOWN).exception(e).build()))
            .subscribeOn(Schedulers.fromExecutorService(blocking))
            .cache(CACHED);
  }

  @Override
  public Publisher<HealthResult> getResult() {
    return result;
  }

  private HealthResult describe() {
    TableStatus status = client.describeTable(request).table().tableStatus();
    return result(acceptsRequests(status) ? HealthStatus.UP : HealthStatus.DOWN)
        .details(status)
        .build();
  }

  /** A table that is being updated, e.g. while an index is built, continues to serve. */
  private static boolean acceptsRequests(TableStatus status) {
    return status == TableStatus.ACTIVE || status == TableStatus.UPDATING;
  }

  private static HealthResult.Builder result(HealthStatus status) {
    return HealthResult.builder("table", status);
  }
}
