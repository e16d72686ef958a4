package social.feed.benchmarks;

import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import social.feed.benchmarks.RouteResult.Moment;
import social.feed.benchmarks.RouteWorld.Route;

/**
 * Measures routes of the API against {@link BareRoutes}. Each side is a process, started as in the
 * image with the processors and the memory of a task. Both use one engine in a third process, and
 * this one sends the requests.
 */
final class RouteBenchmark implements AutoCloseable {
  private static final String TABLE = "feed";

  /** The size of a task that the API is deployed as. */
  private static final String TASK = "-XX:ActiveProcessorCount=1 -XX:MaxRAM=2g";

  /** The API's default. */
  private static final Duration CACHED = Duration.ofSeconds(1);

  private static final Duration WINDOW = Duration.ofMillis(500);

  /** The seconds of load at which a recording of the warm-up ends and the next one begins. */
  private static final List<Integer> WARMING = List.of(0, 5, 10, 20, 40);

  /** The warm-up ends when this many windows cost hardly less than as many before. */
  private static final int FLAT = 6;

  /** The compiler waits for thousands of calls, however slow the machine is. */
  private static final long LEAST_REQUESTS = 5_000;

  /** More than a bare loop makes in a few seconds. */
  private static final int CALLED = 20_000;

  private static final double HARDLY_LESS = 0.97;

  /** The share of the time that an idle compiler works. */
  private static final double IDLE = 0.05;

  private final Options options;
  private final Path work;
  private final EngineProcess engine;
  private final Issuer issuer = new Issuer();

  /** Receives spans, if traces are compared. */
  private final HttpServer collector;

  private final RouteWorld world;
  private final Path image;
  private final Path code;
  private final Map<Route, AtomicLong> numbers = new EnumMap<>(Route.class);
  private final List<String> failed = new ArrayList<>();

  /**
   * What a run measures.
   *
   * @param duration of a measurement under a closed load
   * @param open the duration of an open load, which needs many requests for its percentiles
   * @param port of the engine, 0 for any free one
   * @param record the folder for a profile of each route and side, if wanted
   * @param check whether only the calls and statuses of both sides are compared
   * @param traced the share of requests with a trace, if the API with traces is compared with the
   *     API without them
   */
  record Options(
      int rounds,
      Duration duration,
      Duration open,
      Duration warmUp,
      List<Route> routes,
      int port,
      @Nullable Path record,
      boolean check,
      @Nullable String traced) {
    static Options parsed(List<String> arguments) {
      int rounds = 3;
      double seconds = 2;
      double openSeconds = 10;
      double warmUp = 120;
      List<Route> routes = List.of(Route.values());
      int port = 0;
      @Nullable Path record = null;
      boolean check = false;
      @Nullable String traced = null;
      for (int i = 0; i < arguments.size(); i++) {
        switch (arguments.get(i)) {
          case "--rounds" -> rounds = Integer.parseInt(arguments.get(++i));
          case "--seconds" -> seconds = Double.parseDouble(arguments.get(++i));
          case "--open-seconds" -> openSeconds = Double.parseDouble(arguments.get(++i));
          case "--warm-up" -> warmUp = Double.parseDouble(arguments.get(++i));
          case "--routes" ->
              routes =
                  Stream.of(arguments.get(++i).split(","))
                      .map(name -> Route.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_')))
                      .toList();
          case "--port" -> port = Integer.parseInt(arguments.get(++i));
          case "--record" -> record = SideProfiles.folder(arguments.get(++i));
          case "--check" -> check = true;
          case "--traced" -> traced = arguments.get(++i);
          default -> throw new IllegalArgumentException("Unknown option " + arguments.get(i));
        }
      }
      return new Options(
          rounds,
          Duration.ofMillis((long) (seconds * 1_000)),
          Duration.ofMillis((long) (openSeconds * 1_000)),
          Duration.ofMillis((long) (warmUp * 1_000)),
          routes,
          port,
          record,
          check,
          traced);
    }
  }

  private RouteBenchmark(Options options, Path image, Path code, Path work) throws Exception {
    this.options = options;
    this.image = image;
    this.code = code;
    this.work = work;
    this.engine = new EngineProcess(options.port());
    this.collector = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    // The numbers of callers are prime, so that pairs of caller and post do not repeat soon.
    this.world =
        options.check()
            ? new RouteWorld(issuer, 120, 7, 5)
            : new RouteWorld(issuer, 3_960, 199, 47);
    for (var route : Route.values()) {
      numbers.put(route, new AtomicLong());
    }
  }

  /** Arguments: the folder of the image, the jar of this class, a working folder, options. */
  public static void main(String[] arguments) throws Exception {
    var options = Options.parsed(List.of(arguments).subList(3, arguments.length));
    var code = Path.of(arguments[1]);
    try (var routes =
        new RouteBenchmark(options, Path.of(arguments[0]), code, Path.of(arguments[2]))) {
      routes.store();
      if (options.check()) {
        routes.check();
      } else {
        var results = routes.measure();
        if (!results.isEmpty()) {
          RouteReport.write(options, results, routes.failed);
        }
        if (!routes.failed.isEmpty()) {
          throw new IllegalStateException("Not measured: " + routes.failed);
        }
      }
    }
  }

  private void store() {
    try (var client = engine.newClient()) {
      System.err.printf("%,d rows stored%n", world.store(EngineProcess.create(client, TABLE)));
    }
  }

  /** The two processes of a part of the run. */
  private final class Pair implements AutoCloseable {
    private final ServedProcess platform;
    private final ServedProcess bare;

    /**
     * @param cached how long posts and accounts are shown without another read
     * @param pulled how long the list of pulled authors is used without another read
     */
    Pair(ImageFolder platformFolder, ImageFolder bareFolder, Duration cached, Duration pulled)
        throws Exception {
      var settings =
          Map.of(
              "JDK_JAVA_OPTIONS", TASK,
              "FEED_HOT_CACHED", cached.toMillis() + "ms",
              "FEED_PULL_REGISTRY_CACHED", pulled.toMillis() + "ms",
              "BARE_FRESH_MS", "" + cached.toMillis());
      this.platform = platformFolder.start(settings);
      this.bare = bareFolder.start(settings);
    }

    @Override
    public void close() throws IOException, InterruptedException {
      platform.close();
      bare.close();
    }
  }

  /** Returns settings that send the traces of a share of requests to a collector. */
  private Map<String, String> tracing(String ratio) {
    collector.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    var port = collector.getAddress().getPort();
    return Map.of(
        "FEED_TRACING_EXPORTER",
        "otlp",
        "FEED_TRACING_RATIO",
        ratio,
        "FEED_TRACING_ENDPOINT",
        "http://127.0.0.1:%d/v1/traces".formatted(port));
  }

  private ImageFolder platformFolder(URI table, String name, Map<String, String> more)
      throws Exception {
    var settings = new HashMap<>(issuer.settings());
    settings.putAll(more);
    settings.put("FEED_CURSOR_SECRET", "benchmark-benchmark-benchmark-benchmark");
    settings.put("FEED_DYNAMODB_ENDPOINT", table.toString());
    settings.put("FEED_DYNAMODB_LOCAL", "true");
    settings.put("FEED_DYNAMODB_REGION", "us-east-1");
    settings.put("FEED_DYNAMODB_TABLE", TABLE);
    settings.put("FEED_LIMITS_RATE_PER_SECOND", "1000000");
    settings.put("FEED_LIMITS_RATE_BURST", "1000000");
    settings.put("FEED_LIMITS_DELIVERIES_UNITS_PER_SECOND", "1000000");
    settings.put("FEED_LIMITS_DELIVERIES_UNITS_PER_POST", "0");
    settings.put("FEED_LIMITS_DAILY_FOLLOWS", "1000000");
    settings.put("FEED_LIMITS_FOLLOWED", "1000000");
    var folder = new ImageFolder(image, work.resolve(name), settings);
    folder.rehearse();
    return folder;
  }

  private ImageFolder bareFolder(URI table) throws Exception {
    var settings =
        Map.of(
            "BARE_TABLE",
            TABLE,
            "BARE_ENDPOINT",
            table.toString(),
            "BARE_FRESH_MS",
            "0",
            "MICRONAUT_SERVER_HOST",
            "127.0.0.1");
    var folder = ImageFolder.bare(image, work.resolve("bare"), code, settings);
    folder.rehearse();
    return folder;
  }

  private List<RouteResult> measure() throws Exception {
    var results = new ArrayList<RouteResult>();
    var traced = options.traced();
    var tracing = traced == null ? Map.<String, String>of() : tracing(traced);
    var platformFolder = platformFolder(engine.endpoint(), "platform", tracing);
    var bareFolder =
        traced == null
            ? bareFolder(engine.endpoint())
            : platformFolder(engine.endpoint(), "untraced", Map.of());
    var record = options.record();
    if (record != null) {
      var first = options.routes().getFirst();
      var folder = Files.createDirectories(record.resolve("warm-up"));
      try (var pair = new Pair(platformFolder, bareFolder, cached(first.isCold()), CACHED)) {
        recordWarmUp(first, pair.platform, folder, SideProfiles.PLATFORM);
        recordWarmUp(first, pair.bare, folder, SideProfiles.BARE);
      }
    }
    for (var isCold : List.of(false, true)) {
      var routes = options.routes().stream().filter(route -> route.isCold() == isCold).toList();
      if (routes.isEmpty()) {
        continue;
      }
      try (var pair = new Pair(platformFolder, bareFolder, cached(isCold), CACHED)) {
        for (var route : routes) {
          try {
            results.add(measure(route, pair));
          } catch (IOException | RuntimeException e) {
            // The other routes are not measured again because of this one.
            e.printStackTrace();
            failed.add(route.title());
          }
        }
      }
    }
    return results;
  }

  private static Duration cached(boolean isCold) {
    return isCold ? Duration.ZERO : CACHED;
  }

  private RouteResult measure(Route route, Pair pair) throws Exception {
    System.err.println(route.title());
    var result = new RouteResult(route);
    try (var platform = new Load(pair.platform.port());
        var bare = new Load(pair.bare.port())) {
      warmUp(route, pair.platform, platform, result.platform);
      warmUp(route, pair.bare, bare, result.bare);
      var folder = options.record();
      if (folder != null) {
        Files.createDirectories(folder);
        record(route, pair.platform, platform, folder.resolve(route.title() + ".platform.jfr"));
        record(route, pair.bare, bare, folder.resolve(route.title() + ".bare.jfr"));
      }
      for (int round = 0; round < options.rounds(); round++) {
        inTurns(
            round,
            () -> closed(route, pair.platform, platform, result.platform),
            () -> closed(route, pair.bare, bare, result.bare));
        if (options.traced() == null) {
          calls(route, pair.bare, result.calls);
        }
      }
      result.saturation =
          Math.min(result.platform.throughput.median(), result.bare.throughput.median());
      for (int round = 0; round < options.rounds(); round++) {
        for (int level = 0; level < RouteResult.LEVELS.size(); level++) {
          double rate = RouteResult.LEVELS.get(level) * result.saturation;
          int at = level;
          int seed = round;
          inTurns(
              round,
              () -> result.platform.latencies.get(at).add(open(route, platform, rate, seed)),
              () -> result.bare.latencies.get(at).add(open(route, bare, rate, seed)));
          if (options.traced() == null) {
            result.callLatencies.get(at).add(p99OfCalls(route, pair.bare, rate, seed));
          }
        }
      }
      if (folder != null) {
        for (double level : RouteReport.missedLevels(result)) {
          double rate = level * result.saturation;
          var recorded = "%s, %.0f %%".formatted(route.title(), 100 * level);
          recordRequests(recorded, route, pair.platform, platform, rate, SideProfiles.PLATFORM);
          recordRequests(recorded, route, pair.bare, bare, rate, SideProfiles.BARE);
        }
      }
    }
    return result;
  }

  private void record(Route route, ServedProcess process, Load load, Path file) throws IOException {
    process.record(file, () -> load.closed(requests(route), route.status(), SideProfiles.RECORDED));
  }

  /** Records a new process, which is not the measured one: a recording would slow it down. */
  private void recordWarmUp(Route route, ServedProcess process, Path folder, String side)
      throws IOException {
    System.err.printf("profile of the warm-up %s%n", side);
    try (var load = new Load(process.port())) {
      for (int i = 1; i < WARMING.size(); i++) {
        int from = WARMING.get(i - 1);
        int to = WARMING.get(i);
        process.record(
            folder.resolve("%02d to %02d s.%s.jfr".formatted(from, to, side)),
            () -> load.closed(requests(route), route.status(), Duration.ofSeconds(to - from)));
      }
    }
  }

  /** Records the requests of an open load, with what happens meanwhile in all three processes. */
  private void recordRequests(
      String name, Route route, ServedProcess process, Load load, double rate, String side)
      throws Exception {
    var folder = requireNonNull(options.record()).resolve("percentiles");
    var profiles = new SideProfiles(folder);
    profiles.alsoOf(", engine", engine.jvm());
    profiles.alsoOf(", server", process.jvm());
    profiles.record(
        name,
        side,
        () ->
            profiles.during(
                () -> load.open(requests(route), route.status(), rate, SideProfiles.RECORDED, 0)));
  }

  @FunctionalInterface
  private interface Turn {
    void take() throws Exception;
  }

  /** Alternates which side is first. */
  private static void inTurns(int round, Turn one, Turn other) throws Exception {
    if (round % 2 == 0) {
      one.take();
      other.take();
    } else {
      other.take();
      one.take();
    }
  }

  /** Sends load until the processor time of a request stays the same and the compiler is idle. */
  private void warmUp(Route route, ServedProcess process, Load load, RouteResult.Side side)
      throws Exception {
    var costs = new ArrayList<Double>();
    var compiled = new ArrayList<Double>();
    double seconds = 0;
    long sent = 0;
    boolean isFlat = false;
    while (!isFlat && seconds < options.warmUp().toMillis() / 1e3) {
      var before = process.consumed();
      long answered = load.closed(requests(route), route.status(), WINDOW);
      sent += answered;
      seconds += WINDOW.toMillis() / 1e3;
      var consumed = process.consumed().since(before);
      double cost = consumed.cpuNanos() / 1e3 / answered;
      costs.add(cost);
      compiled.add((double) consumed.compiledMillis());
      side.warmUp.add(
          new Moment(seconds, cost, consumed.compiledMillis() * 1e6 / consumed.cpuNanos()));
      int n = costs.size();
      isFlat =
          n >= 2 * FLAT
              && sent >= LEAST_REQUESTS
              && mean(costs.subList(n - FLAT, n))
                  > HARDLY_LESS * mean(costs.subList(n - 2 * FLAT, n - FLAT))
              && mean(compiled.subList(n - FLAT, n)) < IDLE * WINDOW.toMillis();
    }
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  private void closed(Route route, ServedProcess process, Load load, RouteResult.Side side)
      throws Exception {
    var before = process.consumed();
    long start = System.nanoTime();
    long answered = load.closed(requests(route), route.status(), options.duration());
    double seconds = (System.nanoTime() - start) / 1e9;
    var consumed = process.consumed().since(before);
    side.throughput.add(answered / seconds);
    side.cpu.add(consumed.cpuNanos() / 1e3 / answered);
    side.compiled.add(consumed.compiledMillis() * 1e3 / answered);
    side.allocated.add(consumed.allocated() / 1024.0 / answered);
  }

  /** Makes the calls of the bare route in its process, without requests. */
  private void calls(Route route, ServedProcess process, RouteResult.Side side) throws Exception {
    var before = process.consumed();
    long start = System.nanoTime();
    double made =
        loop(route, process, CALLED, "millis=%d".formatted(options.duration().toMillis()));
    double seconds = (System.nanoTime() - start) / 1e9;
    var consumed = process.consumed().since(before);
    side.throughput.add(made / seconds);
    side.cpu.add(consumed.cpuNanos() / 1e3 / made);
    side.compiled.add(consumed.compiledMillis() * 1e3 / made);
    side.allocated.add(consumed.allocated() / 1024.0 / made);
  }

  /** Makes these calls at random times, and returns their 99th percentile in milliseconds. */
  private double p99OfCalls(Route route, ServedProcess process, double rate, long seed)
      throws Exception {
    int number = (int) Math.ceil(rate * options.open().toMillis() / 1e3);
    return loop(route, process, number, "rate=%s&seed=%d".formatted(rate, seed));
  }

  /** Returns what {@link BareLoop} says. */
  private double loop(Route route, ServedProcess process, int most, String how) throws Exception {
    var number = requireNonNull(numbers.get(route));
    var lines =
        Stream.generate(() -> world.call(route, number.getAndIncrement()))
            .limit(most)
            .collect(Collectors.joining("\n"));
    var uri =
        URI.create(
            "http://127.0.0.1:%d/loop?atOnce=%d&%s"
                .formatted(process.port(), Load.CONNECTIONS, how));
    try (var client = HttpClient.newHttpClient()) {
      var response =
          client.send(
              HttpRequest.newBuilder(uri)
                  .header("Content-Type", "text/plain")
                  .POST(BodyPublishers.ofString(lines))
                  .build(),
              BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IllegalStateException(
            "%s: %d %s".formatted(uri, response.statusCode(), response.body()));
      }
      return Double.parseDouble(response.body());
    }
  }

  private Histogram open(Route route, Load load, double rate, long seed) {
    return load.open(requests(route), route.status(), rate, options.open(), seed);
  }

  private Supplier<byte[]> requests(Route route) {
    var number = requireNonNull(numbers.get(route));
    return () -> world.request(route, number.getAndIncrement());
  }

  /**
   * Compares the statuses and the calls of both sides, request by request.
   *
   * @throws IllegalStateException if they differ
   */
  private void check() throws Exception {
    var wrong = new ArrayList<String>();
    try (var calls = new EngineCalls(engine.endpoint())) {
      var platformFolder = platformFolder(calls.endpoint(), "platform", Map.of());
      var bareFolder = bareFolder(calls.endpoint());
      for (var isCold : List.of(false, true)) {
        // Longer than a check, so that no cached item expires between two requests.
        var cached = isCold ? Duration.ZERO : Duration.ofHours(1);
        try (var pair = new Pair(platformFolder, bareFolder, cached, Duration.ofHours(1));
            var platform = new Load(pair.platform.port());
            var bare = new Load(pair.bare.port())) {
          for (var route : options.routes()) {
            if (route.isCold() == isCold) {
              var real = calls(route, 0, platform, calls);
              var compared = calls(route, 1, bare, calls);
              System.out.printf("%-18s %s%n", route.title(), real);
              if (real.isEmpty() || !real.equals(compared)) {
                wrong.add("%s: %s, bare %s".formatted(route.title(), real, compared));
              }
            }
          }
        }
      }
    }
    if (!wrong.isEmpty()) {
      throw new IllegalStateException("The bare routes make other calls: " + wrong);
    }
  }

  /** Returns the calls of the second request by one reader; the first one fills the caches. */
  private List<String> calls(Route route, int number, Load load, EngineCalls calls)
      throws IOException {
    List<String> made = List.of();
    for (long next : List.of((long) number, (long) number + world.readers(route))) {
      calls.take();
      int status = load.once(world.request(route, next));
      if (status != route.status()) {
        throw new IllegalStateException(route.title() + ": status " + status);
      }
      made = calls.take();
    }
    return made;
  }

  @Override
  public void close() throws Exception {
    collector.stop(0);
    issuer.close();
    engine.close();
  }
}
