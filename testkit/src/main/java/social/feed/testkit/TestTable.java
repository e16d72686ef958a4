package social.feed.testkit;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import social.feed.engine.LocalDynamoDb;
import social.feed.table.cost.ConsumedUnits;
import social.feed.table.cost.CostMeter;
import social.feed.table.declaration.TableProvisioning;
import social.feed.table.schema.FeedTable;
import social.feed.table.store.Backoff;
import social.feed.table.store.Table;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The declared table on an engine of its own, in memory, with a log of the requests and a clock
 * that tests move. An engine starts in a tenth of a second, so each test class can have one.
 */
public final class TestTable implements AutoCloseable {
  private static final String NAME = "feed";
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final LocalDynamoDb engine;
  private final RequestLog requests = new RequestLog();
  private final SteppingClock clock = new SteppingClock(START);
  private final DynamoDbClient client;
  private final Table table;

  private TestTable(LocalDynamoDb engine) {
    this.engine = engine;
    this.client = client(engine.endpoint());
    new TableProvisioning(client, FeedTable.DECLARATION.unprotected()).ensure(NAME);
    requests.take();
    this.table = new Table(client, NAME, eager());
  }

  public static TestTable start() {
    return new TestTable(LocalDynamoDb.start());
  }

  public LocalDynamoDb engine() {
    return engine;
  }

  public URI endpoint() {
    return engine.endpoint();
  }

  public DynamoDbClient client() {
    return client;
  }

  public Table table() {
    return table;
  }

  public RequestLog requests() {
    return requests;
  }

  public SteppingClock clock() {
    return clock;
  }

  /** What some calls on this thread cost. */
  public static ConsumedUnits costOf(Runnable calls) {
    var meter = new CostMeter();
    return meter.measure(
        () -> {
          calls.run();
          return meter.consumed();
        });
  }

  @Override
  public void close() {
    client.close();
    engine.close();
  }

  private DynamoDbClient client(URI endpoint) {
    var builder =
        DynamoDbClient.builder()
            .endpointOverride(endpoint)
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
            .httpClientBuilder(Apache5HttpClient.builder())
            .overrideConfiguration(o -> o.addExecutionInterceptor(requests));
    return Table.metered(builder).build();
  }

  private static Backoff eager() {
    return new Backoff(8, Duration.ZERO, Duration.ZERO, new Random(1), _ -> {});
  }
}
