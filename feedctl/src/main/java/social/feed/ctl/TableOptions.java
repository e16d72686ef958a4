package social.feed.ctl;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import social.feed.engine.EngineClients;
import social.feed.table.kernel.cost.UnitRateInterceptor;
import social.feed.table.kernel.cost.UnitRateLimiter;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Options that select the table. */
final class TableOptions {
  static final String REGION = "--region";

  /**
   * For commands that read a table of AWS for days or weeks: some ten minutes of refusals, or of no
   * answers, end none of them.
   */
  static final Retry PATIENT =
      new Retry(
          50, Duration.ofMillis(100), Duration.ofSeconds(30), new SecureRandom(), Thread::sleep);

  @Option(
      names = "--endpoint",
      defaultValue = "http://127.0.0.1:8000",
      description = "DynamoDB endpoint of the running platform (default: ${DEFAULT-VALUE})")
  private URI endpoint = URI.create("http://127.0.0.1:8000");

  @Option(
      names = "--table",
      defaultValue = "feed",
      description = "name of the table (default: ${DEFAULT-VALUE})")
  private String table = "feed";

  @Option(
      names = "--url",
      defaultValue = "http://127.0.0.1:8080",
      description = "API of the running platform (default: ${DEFAULT-VALUE})")
  private URI url = URI.create("http://127.0.0.1:8080");

  @Option(
      names = REGION,
      description =
          "the table of AWS in this region instead, with the credentials of this user; then no platform"
              + " is contacted")
  private @Nullable String region;

  /** Returns the region of the table, absent for a local platform. */
  @Nullable String region() {
    return region;
  }

  boolean isOfAws() {
    return region != null;
  }

  /** Returns the URL of the API of the local platform. */
  URI url() {
    return url;
  }

  /** Returns the endpoint of the local platform's table. */
  URI endpoint() {
    return endpoint;
  }

  /** Opens the table, which must exist. */
  Table open() {
    return open(_ -> {}, Retry.standard());
  }

  /**
   * Opens the table, which must exist, for a command that reads it for long.
   *
   * @param pace limits the rate of reads
   */
  Table open(UnitRateLimiter pace) {
    return open(pace, PATIENT);
  }

  /**
   * Opens the table, which must exist.
   *
   * @param retry repeats single calls as well
   */
  Table open(UnitRateLimiter pace, Retry retry) {
    // A wrong address or name fails now, and not after minutes.
    open().client().close();
    return open(
        builder ->
            builder.overrideConfiguration(
                Table.retrying(builder, retry).overrideConfiguration().toBuilder()
                    .addExecutionInterceptor(new UnitRateInterceptor(pace))
                    .build()),
        retry);
  }

  private Table open(Consumer<DynamoDbClientBuilder> more, Retry retry) {
    var builder = builder().httpClientBuilder(Apache5HttpClient.builder());
    more.accept(Table.metered(builder));
    var client = builder.build();
    client.describeTable(t -> t.tableName(table));
    return new Table(client, table, retry);
  }

  private DynamoDbClientBuilder builder() {
    return region == null
        ? EngineClients.local(DynamoDbClient.builder(), endpoint)
        : DynamoDbClient.builder().region(Region.of(region));
  }

  /**
   * Returns the stream of the local platform.
   *
   * @throws IllegalStateException for a table of AWS, which has no local platform, if no platform
   *     answers, and if it has another table
   */
  PlatformStream stream() {
    if (isOfAws()) {
      throw new IllegalStateException(
          "--region names a table of AWS, but this command needs a local platform. Omit it, and name"
              + " the platform with --endpoint and --url.");
    }
    var stream = new PlatformStream(url);
    stream.requirePlatform();
    var _ = PlatformMedia.folder(url, endpoint);
    return stream;
  }
}
