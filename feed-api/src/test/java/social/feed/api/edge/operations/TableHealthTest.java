package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.health.HealthStatus;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import social.feed.api.edge.dynamodb.DynamoDbConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

class TableHealthTest {
  private static final int FLOOD = 1_000;

  /** A table that counts how often it is described. */
  private static final class Described implements DynamoDbClient {
    private final AtomicInteger times = new AtomicInteger();

    @Override
    public DescribeTableResponse describeTable(DescribeTableRequest request) {
      times.incrementAndGet();
      return DescribeTableResponse.builder()
          .table(table -> table.tableStatus(TableStatus.ACTIVE))
          .build();
    }

    @Override
    public String serviceName() {
      return "described";
    }

    @Override
    public void close() {}
  }

  @Test
  void flood_ofRequests_describesTheTableOnceASecond() {
    Described table = new Described();
    var configuration =
        new DynamoDbConfiguration(null, false, "eu-central-1", "feed", Duration.ofSeconds(1));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      TableHealth health = new TableHealth(table, configuration, threads);
      long start = System.nanoTime();

      var answers =
          Flux.range(0, FLOOD).flatMap(_ -> Mono.from(health.getResult())).collectList().block();

      long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
      assertThat(answers).hasSize(FLOOD).allMatch(answer -> answer.getStatus() == HealthStatus.UP);
      assertThat((long) table.times.get()).isBetween(1L, 1 + seconds);
    }
  }
}
