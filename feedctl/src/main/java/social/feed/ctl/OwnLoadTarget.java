package social.feed.ctl;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.GraphImport;
import social.feed.ctl.load.LoadReport;
import social.feed.ctl.load.LoadRun;
import social.feed.engine.EngineClients;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformParts;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.CelebrityRule;
import social.feed.verify.Verification;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A platform in memory that ends with the command. The graph is imported into its table. */
final class OwnLoadTarget implements LoadTarget {
  private static final long CAP = 5_000;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final LocalPlatform platform;
  private final DynamoDbClient client;
  private final Table table;

  OwnLoadTarget(PlatformParts parts) {
    this.platform = LocalPlatform.start(PlatformSettings.inMemory().withoutXray(), parts);
    this.client =
        EngineClients.local(DynamoDbClient.builder(), platform.dynamodb())
            .httpClientBuilder(Apache5HttpClient.builder())
            .build();
    this.table = new Table(client, PlatformSettings.TABLE, Retry.standard());
  }

  @Override
  public List<URI> apis() {
    return List.of(platform.api());
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public void create(LoadRun run, Path edges) {
    var stream = new PlatformStream(platform.api());
    var progress = new ConsoleProgress();
    try (var hold = new StreamHold(stream)) {
      new GraphImport(table, Clock.systemUTC(), progress)
          .run(
              new EdgeFile(edges),
              () -> {
                hold.close();
                stream.drain(progress);
              },
              run.settings().posts(),
              CAP);
    }
  }

  @Override
  public Optional<Duration> drained() {
    long since = System.nanoTime();
    platform.drain(PATIENCE);
    return Optional.of(Duration.ofNanos(System.nanoTime() - since));
  }

  @Override
  public Optional<ConsumedUnits> behind() {
    return Optional.of(platform.effectUnits());
  }

  @Override
  public Optional<LoadReport.Verified> verified() {
    var rule = new CelebrityRule(PlatformSettings.CELEBRITY_THRESHOLD);
    var report =
        new Verification(table, Optional.of(rule))
            .run(
                () -> platform.drain(PATIENCE),
                rows -> System.err.printf("\r%,d rows verified", rows));
    System.err.println();
    if (!report.isClean()) {
      System.err.print(report.render());
    }
    return Optional.of(new LoadReport.Verified(report.rows(), report.drifts()));
  }

  @Override
  public void close() {
    client.close();
    platform.close();
  }
}
