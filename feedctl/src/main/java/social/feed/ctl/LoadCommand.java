package social.feed.ctl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.GraphImport;
import social.feed.ctl.load.LoadReport;
import social.feed.ctl.load.LoadRun;
import social.feed.ctl.load.Mix;
import social.feed.ctl.load.SocialGraph;
import social.feed.ctl.verify.Verification;
import social.feed.engine.EngineClients;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformParts;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.UnitPrices;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** {@code ./feed load}: sends a realistic load to a platform, and reports what it found. */
@Command(
    name = "load",
    description = {
      "Sends sessions of many accounts to a platform at a fixed average rate, and reports"
          + " latencies, errors, units and the lag of the lanes. Without --url it starts a platform"
          + " in memory, which ends with the command. Ctrl-C ends the load, and the report is still"
          + " written.",
      "Exits 0 if all is well, 1 if a request failed with 5xx or had no answer or if verify finds"
          + " drift, 2 if the load could not run."
    },
    mixinStandardHelpOptions = true)
final class LoadCommand implements Callable<Integer> {
  private static final double MAX_RATE = 5_000;
  private static final int MAX_SECONDS = 3_600;
  private static final int MAX_IN_FLIGHT = 4_096;
  private static final int MAX_FOLLOWS = 1_000;
  private static final int MAX_URLS = 16;
  private static final long CAP = 5_000;
  private static final String OWNED = "--i-own-this-host";
  private static final List<String> PROBES = List.of("load-probe-author", "load-probe-reader");

  @Spec private CommandSpec spec;

  @Option(
      names = "--rate",
      defaultValue = "50",
      description = "average requests a second, up to 5000 (default: ${DEFAULT-VALUE})")
  private double rate;

  @Option(
      names = "--duration",
      defaultValue = "60",
      description = "seconds of the load, 1 to 3600 (default: ${DEFAULT-VALUE})")
  private int duration;

  @Option(
      names = "--warm-up",
      defaultValue = "10",
      description =
          "seconds of the same load with other requests before, 0 to 3600, which are not counted"
              + " (default: ${DEFAULT-VALUE})")
  private int warmUp;

  @Option(
      names = "--in-flight",
      defaultValue = "256",
      description =
          "the most requests that wait for their answer, 1 to 4096; further ones are late (default:"
              + " ${DEFAULT-VALUE})")
  private int inFlight;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description =
          "the same seed gives the same graph and the same requests (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--accounts",
      defaultValue = "1000",
      description = "accounts of the generated graph, 2 to 1000000 (default: ${DEFAULT-VALUE})")
  private int accounts;

  @Option(
      names = "--follows",
      defaultValue = "8",
      description =
          "accounts that each account of the generated graph follows, 1 to 1000; a third of the"
              + " follows is returned (default: ${DEFAULT-VALUE})")
  private int follows;

  @Option(names = "--graph", description = "file with the graph instead, as ./feed import reads it")
  private @Nullable Path graphFile;

  @Option(
      names = "--posts-per-user",
      defaultValue = "3",
      description = "posts of each account before the load, 1 to 50 (default: ${DEFAULT-VALUE})")
  private int posts;

  @Option(
      names = "--mix",
      description =
          "file of properties with other weights of the actions (docs/load.md), such as like=20")
  private @Nullable Path mixFile;

  @Option(
      names = "--url",
      description =
          "API of a running platform instead of one that this command starts; once for each of up"
              + " to 16 processes of the API, which get the requests in turn")
  private List<URI> urls = List.of();

  @Option(
      names = OWNED,
      description =
          "the host of --url if it is not this machine: confirms that you may disturb and pay for"
              + " it; once for each such host")
  private List<String> ownedHosts = List.of();

  @Option(
      names = "--tokens",
      description =
          "file with 'account token' a line, for a platform that issues no tokens for development;"
              + " the first two accounts measure the lag")
  private @Nullable Path tokensFile;

  @Option(
      names = "--prepared",
      description = "with --url: accounts, follows and posts of the graph exist already")
  private boolean isPrepared;

  @Option(names = "--report", description = "file for the report as HTML")
  private @Nullable Path report;

  @Option(names = "--json", description = "file for the report as JSON")
  private @Nullable Path json;

  @Option(
      names = "--dollars-a-million-reads",
      defaultValue = "" + UnitPrices.READS_IN_US_EAST_1,
      description = "price of read units; on demand in us-east-1 (default: ${DEFAULT-VALUE})")
  private double dollarsOfReads;

  @Option(
      names = "--dollars-a-million-writes",
      defaultValue = "" + UnitPrices.WRITES_IN_US_EAST_1,
      description = "price of write units; on demand in us-east-1 (default: ${DEFAULT-VALUE})")
  private double dollarsOfWrites;

  @Option(
      names = "--skip-verify",
      description = "do not verify the table of the platform that this command started")
  private boolean skipsVerify;

  /** What the load runs against. */
  private interface Target extends AutoCloseable {
    /** Returns the addresses of the processes of the API. */
    List<URI> apis();

    /** Creates accounts, edges and posts. */
    void create(LoadRun run, Path edges);

    /** Waits until all writes have had their effects; empty if the platform does not say. */
    Optional<Duration> drained();

    /** Returns the units of all effects so far, if they are known. */
    Optional<ConsumedUnits> behind();

    Optional<LoadReport.Verified> verified();

    @Override
    void close();
  }

  @Override
  public Integer call() {
    check();
    var mix = mix();
    var tokens = tokens();
    try (var stop = new Stop()) {
      try {
        return load(stop, mix, tokens);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (RuntimeException e) {
        if (stop.isUnderWay()) {
          // A failure during a stop needs no message.
          return 1;
        }
        throw e;
      }
    }
  }

  private void check() {
    require(rate > 0 && rate <= MAX_RATE, "--rate must be more than 0, and at most 5000");
    require(duration >= 1 && duration <= MAX_SECONDS, "--duration must be 1 to 3600 seconds");
    require(warmUp >= 0 && warmUp <= MAX_SECONDS, "--warm-up must be 0 to 3600 seconds");
    require(inFlight >= 1 && inFlight <= MAX_IN_FLIGHT, "--in-flight must be 1 to 4096");
    require(
        accounts >= 2 && accounts <= SocialGraph.MAX_ACCOUNTS, "--accounts must be 2 to 1000000");
    require(
        follows >= 1
            && follows <= MAX_FOLLOWS
            && (long) accounts * follows <= SocialGraph.MAX_EDGES / 2,
        "--follows must be 1 to 1000, and --accounts times --follows at most 10000000");
    require(posts >= 1 && posts <= LoadRun.MAX_POSTS, "--posts-per-user must be 1 to 50");
    require(dollarsOfReads >= 0 && dollarsOfWrites >= 0, "A price must be 0 or more");
    require(!urls.isEmpty() || !isPrepared, "--prepared needs --url");
    require(!urls.isEmpty() || tokensFile == null, "--tokens needs --url");
    require(urls.size() <= MAX_URLS, "--url may be given for up to 16 processes");
    require(Set.copyOf(urls).size() == urls.size(), "--url must name each process once");
    requireReadable("--graph", graphFile);
    requireReadable("--mix", mixFile);
    requireReadable("--tokens", tokensFile);
    requireWritable("--report", report);
    requireWritable("--json", json);
    requireConsent();
  }

  private void require(boolean holds, String rule) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), rule);
    }
  }

  private void requireReadable(String option, @Nullable Path file) {
    require(
        file == null || Files.isReadable(file) && !Files.isDirectory(file),
        option + ": cannot read the file " + file);
  }

  private void requireWritable(String option, @Nullable Path file) {
    if (file != null) {
      var folder = file.toAbsolutePath().getParent();
      require(
          folder != null && Files.isWritable(folder) && !Files.isDirectory(file),
          option + ": cannot write the file " + file);
    }
  }

  /** Another machine belongs to others, unless the user says the opposite. */
  private void requireConsent() {
    require(!urls.isEmpty() || ownedHosts.isEmpty(), OWNED + " needs --url");
    var others = urls.stream().map(this::host).filter(host -> !isThisMachine(host)).toList();
    for (var host : others) {
      require(
          ownedHosts.contains(host),
          "%s is not this machine. A load disturbs its users and costs its owner money. If it is yours, add %s %s"
              .formatted(host, OWNED, host));
    }
    require(
        others.containsAll(ownedHosts),
        OWNED + " is for the host of --url if it is not this machine");
    require(others.isEmpty() || tokensFile != null, "A platform on another machine needs --tokens");
  }

  private String host(URI url) {
    var scheme = url.getScheme();
    var host = url.getHost();
    if (host == null || !("http".equals(scheme) || "https".equals(scheme))) {
      throw new ParameterException(
          spec.commandLine(),
          "--url must be the address of an API, such as http://127.0.0.1:8080, not " + url);
    }
    return host;
  }

  private static boolean isThisMachine(String host) {
    if ("localhost".equals(host)) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      // A name can become the name of another machine at any time.
      return false;
    }
  }

  private Mix mix() {
    if (mixFile == null) {
      return Mix.standard();
    }
    var changes = new Properties();
    try (var reader = Files.newBufferedReader(mixFile)) {
      changes.load(reader);
      return Mix.of(changes);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + mixFile, e);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), mixFile + ": " + e.getMessage());
    }
  }

  private Map<String, String> tokens() {
    var tokens = new LinkedHashMap<String, String>();
    if (tokensFile == null) {
      return tokens;
    }
    try {
      for (var line : Files.readAllLines(tokensFile)) {
        var parts = line.strip().split("\\s+");
        if (!line.isBlank() && !line.startsWith("#")) {
          require(parts.length == 2, "--tokens: a line must have an account and its token");
          tokens.put(parts[0], parts[1]);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + tokensFile, e);
    }
    require(tokens.size() >= 4, "--tokens must name at least four accounts");
    return tokens;
  }

  private int load(Stop stop, Mix mix, Map<String, String> tokens) throws IOException {
    var generated = graphFile == null ? Files.createTempFile("feed-load", ".txt") : null;
    var edges = generated == null ? Objects.requireNonNull(graphFile) : generated;
    try {
      var probes = tokens.isEmpty() ? PROBES : tokens.keySet().stream().limit(2).toList();
      if (generated != null) {
        SocialGraph.generate(ids(tokens), follows, seed, generated);
      }
      var graph = SocialGraph.read(new EdgeFile(edges));
      require(
          graph.ids().stream().noneMatch(probes::contains),
          "The graph must not contain the accounts " + probes + ", which measure the lag");
      require(
          tokens.isEmpty() || tokens.keySet().containsAll(graph.ids()),
          "--tokens lacks accounts of the graph");
      try (var target = urls.isEmpty() ? new OwnPlatform(stop) : new RunningPlatform(urls)) {
        if (!isPrepared) {
          try (var run = run(target, tokens, graph, mix, probes, duration, seed)) {
            target.create(run, edges);
          }
        }
        if (warmUp > 0) {
          try (var run = run(target, tokens, graph, mix, probes, warmUp, seed + 1)) {
            run.prepare(new ConsoleProgress());
            if (results(stop, run, "warm-up").isStopped()) {
              spec.commandLine().getOut().println("Stopped during the warm-up: no report.");
              return 1;
            }
          }
        }
        try (var run = run(target, tokens, graph, mix, probes, duration, seed)) {
          run.prepare(new ConsoleProgress());
          return load(stop, target, run, graph);
        }
      }
    } finally {
      if (generated != null) {
        Files.deleteIfExists(generated);
      }
    }
  }

  private List<String> ids(Map<String, String> tokens) {
    return tokens.isEmpty()
        ? IntStream.range(0, accounts).mapToObj(i -> "u" + i).toList()
        : tokens.keySet().stream().skip(2).limit(accounts).toList();
  }

  private LoadRun run(
      Target target,
      Map<String, String> tokens,
      SocialGraph graph,
      Mix mix,
      List<String> probes,
      int seconds,
      long seeded) {
    var settings = new LoadRun.Settings(rate, Duration.ofSeconds(seconds), inFlight, posts, seeded);
    return new LoadRun(target.apis(), tokens, graph, mix, settings, probes);
  }

  private LoadRun.Results results(Stop stop, LoadRun run, String what) {
    stop.ends(run);
    try (var view = new LoadView(what, spec.commandLine().getErr())) {
      return run.run(view);
    }
  }

  private int load(Stop stop, Target target, LoadRun run, SocialGraph graph) throws IOException {
    var out = spec.commandLine().getOut();
    out.printf(
        "%,.1f requests a second for %,d s on %s; %,d accounts, %,d follows, seed %d.%n",
        rate, duration, joined(target.apis()), graph.size(), graph.edges(), seed);
    out.flush();
    var _ = target.drained();
    var before = target.behind();
    var results = results(stop, run, "load");
    var described =
        new LoadReport.Run(
            urls.isEmpty() ? "a platform of its own, in memory" : joined(urls),
            graphFile == null ? "generated graph" : "graph of " + graphFile.getFileName(),
            graph,
            run.settings(),
            new UnitPrices(dollarsOfReads, dollarsOfWrites));
    // What follows can take long, and can fail.
    write(LoadReport.of(described, results, LoadReport.After.NOTHING));
    var after = results.isStopped() ? LoadReport.After.NOTHING : after(target, before);
    var found = LoadReport.of(described, results, after);
    write(found);
    out.print(found.summary());
    out.flush();
    return found.isClean() ? 0 : 1;
  }

  private static String joined(List<URI> apis) {
    return apis.stream().map(URI::toString).collect(Collectors.joining(", "));
  }

  private LoadReport.After after(Target target, Optional<ConsumedUnits> before) {
    var drained = target.drained();
    var start = before.orElse(ConsumedUnits.NONE);
    var behind =
        target
            .behind()
            .map(now -> new ConsumedUnits(now.read() - start.read(), now.write() - start.write()));
    return new LoadReport.After(
        drained, behind, skipsVerify ? Optional.empty() : target.verified());
  }

  private void write(LoadReport found) throws IOException {
    if (report != null) {
      Files.writeString(report, found.html());
    }
    if (json != null) {
      Files.writeString(json, found.json());
    }
  }

  /** A platform in memory that ends with the command. The graph is imported into its table. */
  private static final class OwnPlatform implements Target {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final LocalPlatform platform;
    private final DynamoDbClient client;
    private final Table table;

    private OwnPlatform(Stop stop) {
      this.platform = LocalPlatform.start(PlatformSettings.inMemory().withoutXray(), stop.parts);
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

  /** A platform that runs already. The graph is created through its API. */
  private final class RunningPlatform implements Target {
    private final List<URI> apis;

    private RunningPlatform(List<URI> apis) {
      this.apis = apis;
      if (tokensFile == null) {
        apis.forEach(api -> new PlatformStream(api).requirePlatform());
      }
    }

    @Override
    public List<URI> apis() {
      return apis;
    }

    @Override
    public void create(LoadRun run, Path edges) {
      run.create(new ConsoleProgress());
      drained();
    }

    @Override
    public Optional<Duration> drained() {
      if (tokensFile != null) {
        return Optional.empty();
      }
      long since = System.nanoTime();
      // Each process can say whether the stream of all of them is drained.
      new PlatformStream(apis.getFirst()).drain(new ConsoleProgress());
      return Optional.of(Duration.ofNanos(System.nanoTime() - since));
    }

    @Override
    public Optional<ConsumedUnits> behind() {
      return Optional.empty();
    }

    @Override
    public Optional<LoadReport.Verified> verified() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }

  /** Ends the load on a signal, and lets the process end when the report is written. */
  private static final class Stop implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 90;

    private final PlatformParts parts = new PlatformParts();
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onSignal, "stop");
    private @Nullable LoadRun run;
    private boolean isUnderWay;

    private Stop() {
      Runtime.getRuntime().addShutdownHook(hook);
    }

    /** From now on a signal ends this load; a signal before has ended it. */
    private synchronized void ends(LoadRun running) {
      run = running;
      if (isUnderWay) {
        running.stop();
      }
    }

    private synchronized boolean isUnderWay() {
      return isUnderWay;
    }

    private synchronized @Nullable LoadRun begun() {
      isUnderWay = true;
      return run;
    }

    private void onSignal() {
      var running = begun();
      if (running == null) {
        parts.close();
        return;
      }
      running.stop();
      try {
        var _ = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      done.countDown();
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process is ending because of the signal.
      }
    }
  }
}
