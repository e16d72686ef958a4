package social.feed.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import social.feed.benchmarks.Svg.Ratio;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.GraphImport;
import social.feed.ctl.graph.ImportProgress;
import social.feed.engine.EngineClients;
import social.feed.engine.ListenOn;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.Storage;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Follow;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Compares an import of a graph, until all its effects are there, with bare batch writes of the
 * same edges. Each side has an engine of its own in memory, and calls it over HTTP. Arguments:
 * {@code --record FOLDER} if wanted, rounds, then graphs: {@code star=FOLLOWERS}, {@code
 * even=ACCOUNTSxFOLLOWED} or a file.
 */
final class ImportGraph {
  private static final Duration PATIENCE = Duration.ofMinutes(20);
  private static final int HOLD_SECONDS = 4;
  private static final long CAP = 1_000_000;
  private static final int BATCH = 25;
  private static final double GOAL = Goal.IMPORT.limit();

  private final SideProfiles profiles;
  private final int rounds;
  private final List<List<String>> rates = new ArrayList<>();
  private final List<List<String>> processorTimes = new ArrayList<>();
  private final List<List<String>> compilerTimes = new ArrayList<>();
  private final List<Ratio> ratios = new ArrayList<>();

  private ImportGraph(SideProfiles profiles, int rounds) {
    this.profiles = profiles;
    this.rounds = rounds;
  }

  public static void main(String[] arguments) throws Exception {
    var left = new ArrayList<>(List.of(arguments));
    var profiles = SideProfiles.takenFrom(left);
    var graphs = new ImportGraph(profiles, Integer.parseInt(left.getFirst()));
    for (var name : left.subList(1, left.size())) {
      graphs.measure(name);
    }
    graphs.report().write();
    // Jobs of closed engines would keep the process alive.
    System.exit(0);
  }

  private BenchmarkReport report() {
    var report =
        new BenchmarkReport("import", "An import with its effects against bare batch writes");
    report.paragraph(
        "%d rounds, in turns, after one that does not count; medians of edges a second, of the processor time of an edge, and of the ratios of each round. The steps are those of the import with the median time."
            .formatted(rounds));
    report.table(
        List.of(
            "graph", "edges", "accounts", "import/s", "batch/s", "ratio", "seconds of its steps"),
        rates);
    report.paragraph("The import by the bare calls. A bar is the goal.");
    report.plot("ratios", Svg.ratios("Edges a second", ratios));
    report.heading("Processor time");
    report.paragraph("Of the process, which has the engine of each side.");
    report.table(
        List.of("Processor time of an edge, µs", "platform", "bare", "ratio"), processorTimes);
    report.table(List.of("of it the compiler, µs", "platform", "bare"), compilerTimes);
    return report;
  }

  /** What a round of a side took. */
  private record Took(
      double milliseconds, double processorMillis, double compilerMillis, Steps steps) {
    static Took of(Runnable work, Steps steps) {
      var before = Machine.processorTime();
      var compiler = Machine.compilerTime();
      long start = System.nanoTime();
      work.run();
      return new Took(
          (System.nanoTime() - start) / 1e6,
          Machine.processorTime().minus(before).toNanos() / 1e6,
          Machine.compilerTime().minus(compiler).toMillis(),
          steps);
    }
  }

  private void measure(String name) throws Exception {
    var file = graph(name);
    System.err.println(name);
    var turns = Samples.Turns.of(rounds, () -> imported(file), () -> batchesOf(file));
    var imports = Side.of(turns.one());
    var batches = Side.of(turns.other());
    var median =
        turns.one().stream()
            .sorted(Comparator.comparingDouble(Took::milliseconds))
            .toList()
            .get((rounds - 1) / 2)
            .steps();
    long edges = Objects.requireNonNull(median.done.get("edges"));
    var title = name.contains("/") ? Path.of(name).getFileName().toString() : name;
    var ratio = new Ratio(title, batches.time.ratioTo(imports.time), GOAL, false);
    ratios.add(ratio);
    rates.add(
        List.of(
            title,
            "%,d".formatted(edges),
            "%,d".formatted(median.done.get("accounts")),
            "%,.0f".formatted(imports.time.rate(edges)),
            "%,.0f".formatted(batches.time.rate(edges)),
            "%.2f%s"
                .formatted(ratio.value(), ratio.isReached() ? "" : ", misses %.1f".formatted(GOAL)),
            median.nanos.entrySet().stream()
                .map(step -> "%s %.1f".formatted(step.getKey(), step.getValue() / 1e9))
                .collect(Collectors.joining(", "))));
    processorTimes.add(
        List.of(
            title,
            micros(imports.processor, edges),
            micros(batches.processor, edges),
            "%.2f".formatted(imports.processor.ratioTo(batches.processor))));
    compilerTimes.add(
        List.of(title, micros(imports.compiler, edges), micros(batches.compiler, edges)));
    profiles.record(title, SideProfiles.PLATFORM, () -> imported(file));
    profiles.record(title, SideProfiles.BARE, () -> batchesOf(file));
  }

  private static String micros(Samples millis, long edges) {
    return "%,.0f".formatted(1e3 * millis.median() / edges);
  }

  /** The measurements of a side in milliseconds. */
  private record Side(Samples time, Samples processor, Samples compiler) {
    static Side of(List<Took> rounds) {
      return new Side(
          Samples.of(rounds, Took::milliseconds),
          Samples.of(rounds, Took::processorMillis),
          Samples.of(rounds, Took::compilerMillis));
    }
  }

  /** Returns the file of a graph; a generated one is temporary. */
  private static Path graph(String name) throws IOException {
    var parts = name.split("[=x]");
    var lines =
        switch (parts[0]) {
          case "star" ->
              IntStream.range(0, Integer.parseInt(parts[1])).mapToObj(n -> "f%d star".formatted(n));
          case "even" -> {
            int accounts = Integer.parseInt(parts[1]);
            int followed = Integer.parseInt(parts[2]);
            yield IntStream.range(0, accounts)
                .boxed()
                .flatMap(
                    n ->
                        IntStream.rangeClosed(1, followed)
                            .mapToObj(m -> "f%d f%d".formatted(n, (n + m * m) % accounts)));
          }
          default -> null;
        };
    if (lines == null) {
      return Path.of(name);
    }
    var file = Files.createTempFile("graph", ".txt");
    file.toFile().deleteOnExit();
    return Files.write(file, (Iterable<String>) lines::iterator);
  }

  /** Imports as the command does, which holds the stream meanwhile. */
  private Took imported(Path file) {
    var steps = new Steps();
    try (var platform = LocalPlatform.start(PlatformSettings.inMemory().withoutXray());
        var client = client(platform.dynamodb());
        var http = HttpClient.newHttpClient();
        var timer = Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory())) {
      var table = new Table(client, PlatformSettings.TABLE, Retry.standard());
      var hold = platform.api().resolve("/v1/dev/hold?millis=10000");
      var held =
          timer.scheduleAtFixedRate(() -> post(http, hold), 0, HOLD_SECONDS, TimeUnit.SECONDS);
      var took =
          took(
              () ->
                  new GraphImport(table, Clock.systemUTC(), steps)
                      .run(
                          new EdgeFile(file),
                          () -> {
                            held.cancel(false);
                            drain(platform, steps);
                          },
                          0,
                          CAP),
              steps);
      timer.shutdownNow();
      return took;
    }
  }

  private Took took(Runnable work, Steps steps) {
    return profiles.during(() -> Took.of(work, steps));
  }

  private static void post(HttpClient http, URI url) {
    try {
      http.send(
          HttpRequest.newBuilder(url).POST(BodyPublishers.noBody()).build(),
          BodyHandlers.discarding());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void drain(LocalPlatform platform, Steps steps) {
    try (var _ = steps.step("stream", ImportProgress.UNKNOWN)) {
      platform.drain(PATIENCE);
    }
  }

  /** Writes the edges 25 a call, one call after the other. */
  private Took batchesOf(Path file) {
    try (var engine = LocalDynamoDb.start(new Storage.InMemory(), ListenOn.port(0));
        var client = client(engine.endpoint());
        var lines = new EdgeFile(file).lines()) {
      new TableProvisioning(client, FeedTable.DECLARATION).ensure(PlatformSettings.TABLE);
      var at = Instant.now();
      var edges = lines.map(EdgeFile.Line.Edge.class::cast).iterator();
      return took(
          () -> {
            while (edges.hasNext()) {
              var batch = new ArrayList<WriteRequest>();
              while (edges.hasNext() && batch.size() < BATCH) {
                var edge = edges.next();
                var item = RowCodec.encode(Follow.imported(edge.follower(), edge.followee(), at));
                batch.add(WriteRequest.builder().putRequest(p -> p.item(item)).build());
              }
              client.batchWriteItem(b -> b.requestItems(Map.of(PlatformSettings.TABLE, batch)));
            }
          },
          new Steps());
    }
  }

  private static DynamoDbClient client(URI endpoint) {
    return Table.metered(
            EngineClients.local(DynamoDbClient.builder(), endpoint)
                .httpClientBuilder(Apache5HttpClient.builder()))
        .build();
  }

  /** Measures how long each step takes. */
  private static final class Steps implements ImportProgress {
    private final Map<String, Long> nanos = new LinkedHashMap<>();
    private final Map<String, Long> done = new ConcurrentHashMap<>();

    @Override
    public Step step(String what, long total) {
      long start = System.nanoTime();
      var processor = Machine.processorTime();
      return new Step() {
        @Override
        public void advance(long more) {
          done.merge(what, more, Long::sum);
        }

        @Override
        public void close() {
          nanos.merge(what, System.nanoTime() - start, Long::sum);
          nanos.merge(what + "-cpu", Machine.processorTime().minus(processor).toNanos(), Long::sum);
        }
      };
    }
  }
}
