package social.feed.ctl.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.ctl.CommandRun;
import social.feed.ctl.Main;
import social.feed.ctl.RefusingApi;
import social.feed.ctl.RefusingApi.Refusal;
import social.feed.ctl.graph.EdgeFile;
import social.feed.ctl.graph.ImportProgress;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;

/** Runs loads against a platform that is shared by all tests, each with accounts of its own. */
@LongRunning
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITLoadRun {
  private static final ImportProgress SILENT =
      (_, _) ->
          new ImportProgress.Step() {
            @Override
            public void advance(long done) {}

            @Override
            public void close() {}
          };

  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir private Path folder = Path.of("");
  private final LocalPlatform platform = LocalPlatform.start(PlatformSettings.inMemory());

  @AfterAll
  void stop() {
    platform.close();
  }

  private SocialGraph graph(String lines) {
    try {
      return SocialGraph.read(new EdgeFile(Files.writeString(folder.resolve("g.txt"), lines)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LoadRun load(SocialGraph graph, Mix mix, double perSecond, int seconds) {
    return load(platform.api(), graph, mix, perSecond, seconds);
  }

  private static LoadRun load(URI api, SocialGraph graph, Mix mix, double perSecond, int seconds) {
    var settings = new LoadRun.Settings(perSecond, Duration.ofSeconds(seconds), 64, 1, 1);
    var name = graph.id(0);
    return new LoadRun(
        List.of(api), Map.of(), graph, mix, settings, List.of(name + "-author", name + "-reader"));
  }

  /** Returns the units that the API has counted, by the template of the route. */
  private Map<String, ConsumedUnits> counted() throws IOException, InterruptedException {
    var text = get(platform.api().resolve("/metrics"));
    var counted = new HashMap<String, ConsumedUnits>();
    var matcher =
        Pattern.compile("feed_(read|write)_units_total\\{route=\"([^\"]+)\"} (\\S+)").matcher(text);
    while (matcher.find()) {
      double units = Double.parseDouble(matcher.group(3));
      counted.merge(
          matcher.group(2),
          matcher.group(1).equals("read")
              ? new ConsumedUnits(units, 0)
              : new ConsumedUnits(0, units),
          ConsumedUnits::plus);
    }
    return counted;
  }

  private static String get(URI url) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString()).body();
    }
  }

  @Test
  void unitsByRoute_areThoseThatThePlatformCounted_andEveryRequestIsCountedOnce()
      throws IOException, InterruptedException {
    var graph = graph("a1 a2\na2 a1\na3 a1\na3 a2\na4 a1\na1 a4\n");
    try (var load = load(graph, Mix.standard(), 60, 2)) {
      load.create(SILENT);
      platform.drain(Duration.ofSeconds(60));
      load.prepare(SILENT);
      var before = counted();
      var seconds = new AtomicInteger();

      var results = load.run(_ -> seconds.incrementAndGet());

      var reported = new HashMap<String, ConsumedUnits>();
      results
          .units()
          .forEach((action, units) -> reported.merge(action.path(), units, ConsumedUnits::plus));
      results
          .probe()
          .forEach(
              (route, units) ->
                  reported.merge(route.replaceFirst("\\S+ ", ""), units, ConsumedUnits::plus));
      var counted = counted();
      before.forEach(
          (route, units) ->
              counted.merge(
                  route, new ConsumedUnits(-units.read(), -units.write()), ConsumedUnits::plus));
      counted.values().removeIf(ConsumedUnits.NONE::equals);
      reported.values().removeIf(ConsumedUnits.NONE::equals);
      assertThat(reported).isEqualTo(counted);
      assertThat(results.load().codes().keySet()).as("all succeed").isSubsetOf("200", "201", "204");
      assertThat(results.load().latency().getTotalCount())
          .isEqualTo(results.load().scheduled())
          .isGreaterThan(60);
      assertThat(results.load().unsent()).isZero();
      assertThat(seconds.get()).isPositive();
      assertThat(results.effects().seen().getTotalCount() + results.effects().unseen())
          .as("measurements of the lag")
          .isPositive();
    }
  }

  @Test
  void errors_areCountedByCode() throws IOException, InterruptedException {
    var graph = graph("b1 b2\nb2 b1\n");
    var onlyProfiles = new Properties();
    for (var action : Action.values()) {
      if (!action.opensASession()) {
        onlyProfiles.setProperty(action.key(), action == Action.PROFILE ? "1" : "0");
      }
    }
    try (var load = load(graph, Mix.of(onlyProfiles), 50, 2);
        var api = new ApiCalls(platform.api(), Map.of())) {
      load.create(SILENT);
      load.prepare(SILENT);
      api.signIn("b1");
      assertThat(api.send("b1", "PUT", "/v1/users/b2/block").code()).isEqualTo("204");

      var results = load.run(_ -> {});

      var profiles = Objects.requireNonNull(results.load().groups().get("profile")).codes();
      assertThat(profiles.keySet()).contains("404 not_found");
      assertThat(profiles.values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(
              Objects.requireNonNull(results.load().groups().get("profile"))
                  .latency()
                  .getTotalCount());
      assertThat(LoadReport.failures(results.load().codes())).isZero();
      assertThat(LoadReport.errors(results.load().codes()))
          .isEqualTo(profiles.get("404 not_found"));
    }
  }

  @Test
  void stop_endsTheLoad_andItsResultsAreWhole() {
    var graph = graph("c1 c2\nc2 c1\n");
    try (var load = load(graph, Mix.standard(), 20, 600)) {
      load.create(SILENT);
      // The posts of a load of ten minutes.
      load.prepare(SILENT);

      var results = load.run(_ -> load.stop());

      assertThat(results.isStopped()).isTrue();
      assertThat(results.load().scheduled()).isBetween(1L, 200L);
      assertThat(results.load().latency().getTotalCount() + results.load().unsent())
          .isEqualTo(results.load().scheduled());
    }
  }

  /** As a stage, where an author posts five times in a row, and then every few seconds. */
  @Test
  void graph_isCreatedAlsoWhereAnAccountMustWait() throws Exception {
    var graph = graph("g1 g2\ng2 g1\n");
    try (var front =
            new RefusingApi(platform.api(), new Refusal("g1", "POST /v1/posts", 429, "1", 2));
        var load = load(front.address(), graph, Mix.standard(), 10, 1);
        var api = new ApiCalls(platform.api(), Map.of())) {
      load.create(SILENT);

      api.signIn("g2");
      assertThat(api.send("g2", "GET", "/v1/users/g1/posts").ids()).hasSize(1);
      assertThat(api.send("g2", "GET", "/v1/users/g1/followers").ids()).hasSize(1);
    }
  }

  @Test
  void graph_isNotCreatedWhereAnAccountMustWaitForLong() throws Exception {
    var graph = graph("h1 h2\nh2 h1\n");
    try (var front =
            new RefusingApi(
                platform.api(), new Refusal("h1", "POST /v1/users/h2/follow", 429, "3600", 1));
        var load = load(front.address(), graph, Mix.standard(), 10, 1)) {
      assertThatThrownBy(() -> load.create(SILENT))
          .hasMessageContaining("The graph cannot be created: HTTP 429");
    }
  }

  /** As a stage, where an author posts five times in a row, and then every few seconds. */
  @Test
  void lag_isMeasuredAlsoAfterManyRefusalsOfItsAuthor() throws Exception {
    try (var front =
            new RefusingApi(
                platform.api(), new Refusal("i1-author", "POST /v1/posts", 429, "0", 20));
        var api = new ApiCalls(front.address(), Map.of())) {
      var probe = new LagProbe(api, "i1-author", "i1-reader", Duration.ofMillis(10), LONG);
      probe.prepare();

      var probing = Thread.ofVirtual().start(probe::run);
      Polling.until(() -> probe.counts().seen().getTotalCount() > 0);
      probe.stop();
      probing.join();

      assertThat(probe.failures()).isZero();
      assertThat(probe.effects().seen().getTotalCount()).isPositive();
    }
  }

  /** A lag that is long because there is too much to do is one, too. */
  @Test
  void lag_isMeasuredToItsEnd_alsoWhereALookIsRefused() throws Exception {
    try (var front =
            new RefusingApi(platform.api(), new Refusal("m1-reader", "GET /v1/feed", 503, "1", 2));
        var api = new ApiCalls(front.address(), Map.of())) {
      var probe = prepared(api, "m1-author", "m1-reader");

      var probing = Thread.ofVirtual().start(probe::run);
      Polling.until(() -> probe.counts().seen().getTotalCount() > 0);
      probe.stop();
      probing.join();

      assertThat(probe.effects().seen().getMaxValue()).isGreaterThanOrEqualTo(2_000);
      assertThat(probe.effects().unseenOnes()).isZero();
    }
  }

  @Test
  void probe_waitsWhileItsPreparationIsRefused() throws Exception {
    try (var front =
            new RefusingApi(
                platform.api(),
                new Refusal("m2-reader", "(POST|GET) /v1/(users.*|feed)", 429, "0", 1));
        var api = new ApiCalls(front.address(), Map.of())) {
      new LagProbe(api, "m2-author", "m2-reader").prepare();

      assertThat(front.sent()).filteredOn(sent -> sent.account().equals("m2-reader")).hasSize(4);
    }
  }

  /** As members of a product have, or accounts that an import wrote. */
  @Test
  void accountsWithAProfile_keepTheirHandle() throws Exception {
    var graph = graph("v1 v2\nv2 v1\n");
    try (var api = new ApiCalls(platform.api(), Map.of());
        var load = load(platform.api(), graph, Mix.standard(), 10, 1)) {
      for (var id : List.of("v1", "v3")) {
        api.signIn(id);
        var profile = "{\"handle\":\"mine_%s\",\"display_name\":\"Mine\"}".formatted(id);
        assertThat(api.send(id, "POST", "/v1/users", profile).isOk()).isTrue();
      }

      load.create(SILENT);
      new LagProbe(api, "v3", "v4").prepare();

      for (var id : List.of("v1", "v3")) {
        assertThat(api.send(id, "GET", "/v1/users/" + id).tree().path("handle").asText())
            .isEqualTo("mine_" + id);
      }
    }
  }

  @Test
  void idsThatDifferInCaseOnly_haveTwoHandles() throws Exception {
    var graph = graph("X1 x1\nx1 X1\n");
    try (var load = load(platform.api(), graph, Mix.standard(), 10, 1)) {
      load.create(SILENT);
    }
    assertThat(ApiAccounts.handle("x1")).isEqualTo("load_x1");
    assertThat(ApiAccounts.handle("X1")).isNotEqualToIgnoringCase("load_x1");
  }

  /** A repeat after a day, when the keys of idempotency are gone. */
  @Test
  void postsThatAreThere_areNotWrittenAgain() throws Exception {
    var graph = graph("w1 w2\nw2 w1\n");
    try (var api = new ApiCalls(platform.api(), Map.of());
        var load = load(platform.api(), graph, Mix.standard(), 10, 1)) {
      for (var id : List.of("w1", "w2")) {
        api.signIn(id);
        assertThat(ApiAccounts.register(api, id, "Load")).isEmpty();
      }
      assertThat(api.send("w1", "POST", "/v1/posts", "{\"text\":\"Before\"}").isOk()).isTrue();

      load.create(SILENT);

      for (var id : List.of("w1", "w2")) {
        assertThat(api.send(id, "GET", "/v1/users/" + id + "/posts").ids()).as(id).hasSize(1);
      }
    }
  }

  @Test
  void lag_isNoLongerMeasuredAfterTenFailures() throws Exception {
    try (var front =
            new RefusingApi(
                platform.api(), new Refusal("j1-author", "POST /v1/posts", 400, "", 20));
        var api = new ApiCalls(front.address(), Map.of())) {
      var probe = new LagProbe(api, "j1-author", "j1-reader", Duration.ofMillis(10), LONG);
      probe.prepare();

      probe.run();

      assertThat(probe.failures()).isEqualTo(LagProbe.MOST_FAILURES);
      assertThat(probe.effects().seen().getTotalCount()).isZero();
    }
  }

  /** As a load balancer whose process has just ended. */
  @Test
  void lag_isMeasuredAlsoAfterAnAnswerThatIsNoJson() throws Exception {
    try (var front =
            new RefusingApi(
                platform.api(), new Refusal("k1-reader", "GET /v1/feed", 502, "", 1), "<html>");
        var api = new ApiCalls(front.address(), Map.of())) {
      var probe = prepared(api, "k1-author", "k1-reader");

      var probing = Thread.ofVirtual().start(probe::run);
      Polling.until(() -> probe.counts().seen().getTotalCount() > 0);
      probe.stop();
      probing.join();

      assertThat(probe.failures()).isEqualTo(1);
      assertThat(probe.effects().seen().getTotalCount()).isPositive();
    }
  }

  /** Also in the middle of a measurement, and where the status says that all is well. */
  @ParameterizedTest
  @ValueSource(ints = {200, 502})
  void lag_isNoLongerMeasuredAfterTenAnswersThatAreNoJson(int status) throws Exception {
    var reader = "l%d-reader".formatted(status);
    try (var front =
            new RefusingApi(
                platform.api(), new Refusal(reader, "GET /v1/feed", status, "", 20), "<html>");
        var api = new ApiCalls(front.address(), Map.of())) {
      var probe = prepared(api, "l%d-author".formatted(status), reader);

      probe.run();

      assertThat(probe.failures()).isEqualTo(LagProbe.MOST_FAILURES);
      assertThat(probe.effects().seen().getTotalCount()).isZero();
    }
  }

  /** The feed of the reader is empty for more than ten seconds. */
  @Test
  void effectAfterTheEnd_isAwaitedAsLongAsAnyOther() throws Exception {
    try (var front = emptyFeed("p1-reader", 500);
        var api = new ApiCalls(front.address(), Map.of())) {
      var probe = prepared(api, "p1-author", "p1-reader");

      measureOnceAndEnd(front, probe, probe::stop);

      assertThat(probe.effects().unseenOnes()).isZero();
      assertThat(probe.effects().seen().getTotalCount()).isEqualTo(1);
    }
  }

  @Test
  void effectThatIsNeverVisible_isCounted() throws Exception {
    try (var front = emptyFeed("q1-reader", Integer.MAX_VALUE);
        var api = new ApiCalls(front.address(), Map.of())) {
      var _ = prepared(api, "q1-author", "q1-reader");
      var probe =
          new LagProbe(api, "q1-author", "q1-reader", Duration.ofMillis(10), Duration.ofSeconds(2));

      measureOnceAndEnd(front, probe, probe::stop);

      assertThat(probe.effects().unseenOnes()).isEqualTo(1);
    }
  }

  /** As by Ctrl-C. */
  @Test
  void effectWhoseMeasurementIsCutOff_isNotCounted() throws Exception {
    try (var front = emptyFeed("r1-reader", Integer.MAX_VALUE);
        var api = new ApiCalls(front.address(), Map.of())) {
      var probe = prepared(api, "r1-author", "r1-reader");

      measureOnceAndEnd(front, probe, probe::cutOff);

      assertThat(probe.effects().unseenOnes()).isZero();
      assertThat(probe.effects().seen().getTotalCount()).isZero();
    }
  }

  private RefusingApi emptyFeed(String reader, int times) throws IOException {
    return new RefusingApi(
        platform.api(), new Refusal(reader, "GET /v1/feed", 200, "", times), "{\"items\":[]}");
  }

  private static void measureOnceAndEnd(RefusingApi front, LagProbe probe, Runnable end)
      throws InterruptedException {
    var probing = Thread.ofVirtual().start(probe::run);
    Polling.until(
        () -> front.sent().stream().anyMatch(sent -> sent.uri().getPath().equals("/v1/feed")));
    end.run();
    probing.join();
  }

  /** Returns a probe whose accounts were prepared without the front that refuses. */
  private LagProbe prepared(ApiCalls api, String author, String reader)
      throws IOException, InterruptedException {
    try (var calls = new ApiCalls(platform.api(), Map.of())) {
      new LagProbe(calls, author, reader).prepare();
    }
    api.signIn(author);
    api.signIn(reader);
    return new LagProbe(api, author, reader, Duration.ofMillis(10), LONG);
  }

  /** Otherwise the times of older pages would be those of the last page alone. */
  @Test
  void olderPages_areReadToTheEnd_andFromTheBeginningAgain() throws Exception {
    var onlyOlder = new Properties();
    for (var action : Action.values()) {
      if (!action.opensASession()) {
        onlyOlder.setProperty(action.key(), action == Action.OLDER ? "1" : "0");
      }
    }
    var settings = new LoadRun.Settings(40, Duration.ofSeconds(2), 1, 25, 1);
    try (var front = new RefusingApi(platform.api(), new Refusal("", "none", 0, "", 0));
        var load =
            new LoadRun(
                List.of(front.address()),
                Map.of(),
                graph("end1 end2\n"),
                Mix.of(onlyOlder),
                settings,
                List.of("end-author", "end-reader"))) {
      load.create(SILENT);
      platform.drain(Duration.ofSeconds(60));
      load.prepare(SILENT);

      var _ = load.run(_ -> {});

      var pages =
          front.sent().stream()
              .filter(request -> request.account().equals("end1"))
              .filter(request -> request.uri().getPath().equals("/v1/feed"))
              .map(request -> String.valueOf(request.uri().getQuery()))
              .toList();
      assertThat(pages).filteredOn(page -> page.startsWith("cursor=")).hasSizeGreaterThan(3);
      for (int i = 1; i < pages.size(); i++) {
        assertThat(pages.get(i).equals(pages.get(i - 1)) && pages.get(i).startsWith("cursor="))
            .as("page %d is the one before it: %s", i, pages)
            .isFalse();
      }
    }
  }

  @Test
  void missingGraph_isReported() {
    var graph = graph("d1 d2\nd2 d1\n");
    try (var load = load(graph, Mix.standard(), 20, 2)) {
      assertThatThrownBy(() -> load.prepare(SILENT))
          .hasMessageContaining("cannot be read: HTTP 404 not_found")
          .hasMessageContaining("--prepared");
    }
  }

  /** As after an import without posts. */
  @Test
  void graphWithoutPosts_isReported() throws Exception {
    var graph = graph("m1 m2\nm2 m1\n");
    register("m1", "m2");
    try (var load = load(graph, Mix.standard(), 20, 2)) {
      assertThatThrownBy(() -> load.prepare(SILENT))
          .hasMessageContaining("m1 has no posts")
          .hasMessageContaining("Omit --prepared")
          .hasMessageContaining("--posts-per-user");
    }
  }

  @Test
  void loadWithoutRequestsForPosts_needsNone() throws Exception {
    var graph = graph("n1 n2\nn2 n1\n");
    register("n1", "n2");
    try (var load = load(graph, only(Action.PROFILE), 20, 1)) {
      load.prepare(SILENT);

      var results = load.run(_ -> {});

      assertThat(results.load().codes().keySet()).containsExactly("200");
    }
  }

  /** All requests are sent, so that no time in the report is that of a request that was not. */
  @Test
  void authorWithoutPosts_hasThoseOfAnother() throws Exception {
    var graph = graph("o1 o2\no2 o3\no3 o1\n");
    register("o1", "o2", "o3");
    try (var front = new RefusingApi(platform.api(), new Refusal("", "none", 0, "", 0));
        var load = load(front.address(), graph, only(Action.READ), 40, 2);
        var api = new ApiCalls(platform.api(), Map.of())) {
      api.signIn("o2");
      var post = api.send("o2", "POST", "/v1/posts", "{\"text\":\"the only one\"}").id();
      load.prepare(SILENT);

      var results = load.run(_ -> {});

      assertThat(load.authorsWithoutPosts()).isEqualTo(2);
      assertThat(results.load().codes().keySet()).containsExactly("200");
      assertThat(
              front.sent().stream()
                  .filter(request -> request.uri().getPath().equals("/v1/posts/" + post))
                  .filter(request -> !request.account().contains("-")))
          .hasSize(
              (int)
                  Objects.requireNonNull(results.load().groups().get("read"))
                      .latency()
                      .getTotalCount());
    }
  }

  private void register(String... accounts) throws IOException, InterruptedException {
    try (var api = new ApiCalls(platform.api(), Map.of())) {
      for (var account : accounts) {
        api.signIn(account);
        var body =
            "{\"handle\":\"%s\",\"display_name\":\"Load\"}".formatted(ApiAccounts.handle(account));
        assertThat(api.send(account, "POST", "/v1/users", body).code()).isEqualTo("201");
      }
    }
  }

  private static Mix only(Action only) {
    var weights = new Properties();
    for (var action : Action.values()) {
      if (!action.opensASession()) {
        weights.setProperty(action.key(), action == only ? "1" : "0");
      }
    }
    return Mix.of(weights);
  }

  /** As on a platform that issues no tokens for development. */
  @Test
  void command_withTokens_createsTheGraphThroughTheApi_andUsesItAgain() throws Exception {
    var tokens = new StringBuilder();
    for (var account : List.of("e0", "e1", "e2", "e3", "e4", "e5")) {
      tokens.append(account).append(' ').append(token(account)).append('\n');
    }
    var file = Files.writeString(folder.resolve("tokens.txt"), tokens);
    var json = folder.resolve("load.json");
    var arguments =
        List.of(
            "load",
            "--url",
            platform.api().toString(),
            "--tokens",
            file.toString(),
            "--json",
            json.toString(),
            "--follows",
            "2",
            "--posts-per-user",
            "2",
            "--rate",
            "30",
            "--duration",
            "1",
            "--warm-up",
            "0");

    int created = run(arguments);
    var first = new ObjectMapper().readTree(json.toFile());
    var again = new ArrayList<>(arguments);
    again.add("--prepared");
    int repeated = run(again);
    var second = new ObjectMapper().readTree(json.toFile());

    assertThat(created).isZero();
    assertThat(repeated).isZero();
    assertThat(first.path("accounts").asInt()).as("two accounts measure the lag").isEqualTo(4);
    assertThat(first.has("verified")).isFalse();
    assertThat(first.path("codes").has("404 not_found")).isFalse();
    assertThat(requests(second)).as("the same seed").isEqualTo(requests(first));
  }

  @Test
  void calls_goToEachProcessInTurn() throws IOException, InterruptedException {
    var closed = URI.create("http://127.0.0.1:1");
    try (var calls = new ApiCalls(List.of(platform.api(), closed), Map.of())) {
      calls.signIn("f1");
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> calls.send("f1", "GET", "/v1/feed"))
            .isInstanceOf(ConnectException.class);
        assertThat(calls.send("f1", "GET", "/v1/feed").code()).isEqualTo("200");
      }
    }
  }

  @Test
  void command_requiresAPlatformAtEachAddress() {
    var result =
        CommandRun.of("load", "--url", platform.api().toString(), "--url", "http://127.0.0.1:1");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("No platform answers at http://127.0.0.1:1");
  }

  /**
   * One address in two ways stands for two processes, between which a client sees no difference.
   */
  @Test
  void command_onARunningPlatform_createsTheGraphAndDrains() throws IOException {
    var json = folder.resolve("load.json");
    var first = platform.api().toString();
    var second = first.replace("127.0.0.1", "localhost");

    int code =
        run(
            List.of(
                "load",
                "--url",
                first,
                "--url",
                second,
                "--json",
                json.toString(),
                "--accounts",
                "3",
                "--follows",
                "1",
                "--posts-per-user",
                "1",
                "--rate",
                "20",
                "--duration",
                "1",
                "--warm-up",
                "0"));

    var report = new ObjectMapper().readTree(json.toFile());
    assertThat(code).isZero();
    assertThat(report.path("target").asText()).isEqualTo(first + ", " + second);
    assertThat(report.path("drained_s").isNumber()).isTrue();
    assertThat(report.path("units").has("behind")).isFalse();
  }

  private static Map<String, Long> requests(JsonNode report) {
    var requests = new HashMap<String, Long>();
    report
        .path("actions")
        .forEach(a -> requests.put(a.path("action").asText(), a.path("requests").asLong()));
    return requests;
  }

  private static int run(List<String> arguments) {
    var silent = new PrintWriter(new StringWriter());
    return Main.commandLine()
        .setOut(silent)
        .setErr(silent)
        .execute(arguments.toArray(String[]::new));
  }

  private String token(String account) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(platform.api().resolve("/v1/dev/tokens"))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString("{\"user_id\":\"" + account + "\"}"))
              .build();
      var body = http.send(request, BodyHandlers.ofString()).body();
      return new ObjectMapper().readTree(body).path("access_token").asText();
    }
  }
}
