package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.testkit.LongRunning;

/** Tests the command {@code load} on a platform of its own, and what it refuses. */
@LongRunning
class ITLoad {
  @TempDir private Path folder = Path.of("");

  private static CommandRun run(String... arguments) {
    return CommandRun.of(
        Stream.concat(Stream.of("load"), Stream.of(arguments)).toArray(String[]::new));
  }

  @Test
  void load_onAPlatformOfItsOwn_reportsAndVerifies() throws IOException {
    var json = folder.resolve("load.json");
    var html = folder.resolve("load.html");

    var result =
        run(
            "--accounts",
            "20",
            "--follows",
            "3",
            "--posts-per-user",
            "1",
            "--rate",
            "20",
            "--duration",
            "2",
            "--warm-up",
            "1",
            "--json",
            json.toString(),
            "--report",
            html.toString());

    assertThat(result.code()).as(result.err() + result.out()).isZero();
    var report = new ObjectMapper().readTree(json.toFile());
    var page = Files.readString(html);
    assertThat(report.path("accounts").asInt()).isEqualTo(20);
    assertThat(report.path("verified").path("drift").asInt(-1)).isZero();
    assertThat(report.path("units").path("behind").path("write_units").asDouble()).isPositive();
    assertThat(result.out())
        .contains(
            "verify: %,d rows, 0 drift.".formatted(report.path("verified").path("rows").asLong()))
        .contains(
            "%,d requests scheduled".formatted(report.path("requests").path("scheduled").asLong()));
    assertThat(result.err())
        .containsPattern("warm-up +\\d+ s  sent ")
        .containsPattern("load +\\d+ s  sent ");
    sumsAreThoseOfTheActions(report);
    assertThat(page).doesNotContain("<script", "http-equiv=\"refresh\"", "src=", "@import", "url(");
    for (var action : report.path("actions")) {
      var row =
          page.lines()
              .filter(line -> line.contains("<td>" + action.path("action").asText() + "</td>"))
              .findFirst()
              .orElseThrow();
      assertThat(numbers(action))
          .as(action.toString())
          .allMatch(number -> row.contains("<td>" + number + "</td>"));
    }
    for (var action : report.path("actions")) {
      codesAreOnThePage(action.path("action").asText(), action.path("codes"), page);
    }
    codesAreOnThePage("all", report.path("codes"), page);
    plotsHaveAPointForEachNumber(report, page);
    for (var part : List.of("requests", "units", "lag")) {
      assertThat(numbers(report.path(part)))
          .as(part)
          .allMatch(
              number ->
                  page.contains("<td>" + number + "</td>") || page.contains(" " + number + " "));
    }
  }

  private static void sumsAreThoseOfTheActions(JsonNode report) {
    long requests = 0;
    double reads = 0;
    for (var action : report.path("actions")) {
      requests += action.path("requests").asLong();
      reads += action.path("read_units").asDouble();
    }
    assertThat(requests).isEqualTo(report.path("requests").path("sent").asLong()).isPositive();
    assertThat(reads)
        .isEqualTo(report.path("units").path("requests").path("read_units").asDouble());
  }

  private static void codesAreOnThePage(String action, JsonNode codes, String page) {
    assertThat(codes.properties()).isNotEmpty();
    for (var code : codes.properties()) {
      assertThat(page)
          .contains(
              "<tr><td>%s</td><td>%s</td><td>%s</td></tr>"
                  .formatted(action, code.getKey(), code.getValue().asText()));
    }
  }

  private static void plotsHaveAPointForEachNumber(JsonNode report, String page) {
    var seconds = new ArrayList<JsonNode>();
    report.path("over_time").forEach(seconds::add);
    long busy = seconds.stream().filter(each -> each.path("requests").asLong() > 0).count();
    assertThat(busy).as("seconds with requests").isPositive();
    assertThat(points(plot(page, "Latency in milliseconds over the seconds of the run")))
        .as("p50, p99 and the maximum of each second")
        .containsExactly(busy, busy, busy);
    assertThat(points(plot(page, "Requests and errors over the seconds of the run")))
        .containsExactly((long) seconds.size());
    long percentiles = report.path("distribution").size();
    assertThat(percentiles).isPositive();
    assertThat(points(plot(page, "Milliseconds by percentile")))
        .as("latency and service time")
        .containsExactly(percentiles, percentiles);
    var byAction = plot(page, "Latency by action in milliseconds");
    assertThat(Pattern.compile("<line class=\"range a\"").matcher(byAction).results())
        .as("a bar for each action")
        .hasSize(report.path("actions").size());
    assertThat(Pattern.compile("<circle class=\"dot\"").matcher(byAction).results())
        .as("a maximum for each action")
        .hasSize(report.path("actions").size());
    for (var action : report.path("actions")) {
      assertThat(byAction).contains(">" + action.path("action").asText() + "</text>");
    }
  }

  /** Returns the only picture of a page that has a title. */
  private static String plot(String page, String title) {
    var plots =
        Pattern.compile("<svg\\b.*?</svg>", Pattern.DOTALL)
            .matcher(page)
            .results()
            .map(MatchResult::group)
            .filter(svg -> svg.contains("<title>" + title + "</title>"))
            .toList();
    assertThat(plots).as(title).hasSize(1);
    return plots.getFirst();
  }

  /** Returns the number of points of each curve. */
  private static List<Long> points(String plot) {
    return Pattern.compile("<polyline [^>]*points=\"([^\"]*)\"")
        .matcher(plot)
        .results()
        .map(curve -> Pattern.compile("[\\d.]+,[\\d.]+").matcher(curve.group(1)).results().count())
        .toList();
  }

  /**
   * Returns all numbers of a node, but the times of service, of which the page shows one, and the
   * codes, which have a table of their own.
   */
  private static List<String> numbers(JsonNode node) {
    var numbers = new ArrayList<String>();
    node.properties()
        .forEach(
            field -> {
              if (field.getValue().isNumber()) {
                numbers.add(field.getValue().asText());
              } else if (!field.getKey().equals("service_time")
                  && !field.getKey().equals("codes")) {
                numbers.addAll(numbers(field.getValue()));
              }
            });
    return numbers;
  }

  @ParameterizedTest
  @CsvSource({
    "https://feed.example.com, ''",
    "https://feed.example.com, other.example.com",
    "http://10.0.0.7:8080, ''",
    "http://127.0.0.1.example.com, ''"
  })
  void anotherMachine_isRefusedWithoutConsent(String url, String owned) {
    var result =
        owned.isEmpty() ? run("--url", url) : run("--url", url, "--i-own-this-host", owned);

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("is not this machine").contains("--i-own-this-host");
  }

  @Test
  void eachOtherMachine_needsItsOwnConsent() {
    var arguments =
        List.of(
            "--url",
            "http://127.0.0.1:1",
            "--url",
            "https://one.invalid",
            "--url",
            "https://two.invalid",
            "--i-own-this-host",
            "one.invalid");

    var one = run(arguments.toArray(String[]::new));
    var both =
        run(
            Stream.concat(arguments.stream(), Stream.of("--i-own-this-host", "two.invalid"))
                .toArray(String[]::new));

    assertThat(one.code()).isEqualTo(2);
    assertThat(one.err())
        .contains("two.invalid is not this machine")
        .doesNotContain("one.invalid is");
    assertThat(both.code()).isEqualTo(2);
    assertThat(both.err()).contains("needs --tokens");
  }

  @Test
  void consentForAHostWithoutLoad_isRejected() {
    var result = run("--url", "http://127.0.0.1:1", "--i-own-this-host", "feed.invalid");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("is for the host of --url");
  }

  @Test
  void processes_areNamedOnce_andAreAtMostSixteen() {
    var twice = run("--url", "http://127.0.0.1:1", "--url", "http://127.0.0.1:1");
    var many =
        run(
            IntStream.rangeClosed(1, 17)
                .boxed()
                .flatMap(port -> Stream.of("--url", "http://127.0.0.1:" + port))
                .toArray(String[]::new));

    assertThat(twice.code()).isEqualTo(2);
    assertThat(twice.err()).contains("--url must name each process once");
    assertThat(many.code()).isEqualTo(2);
    assertThat(many.err()).contains("--url may be given for up to 16 processes");
  }

  @Test
  void anotherMachine_needsTokens() {
    var result = run("--url", "https://feed.invalid", "--i-own-this-host", "feed.invalid");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("needs --tokens");
  }

  /** A tunnel to a platform in production has an address of this machine. */
  @Test
  void platformBehindAnAddressOfThisMachine_needsConsent() throws IOException {
    var asked = new ConcurrentLinkedQueue<String>();
    var tunnel = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    tunnel.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    tunnel.start();
    var tokens = Files.writeString(folder.resolve("tokens.txt"), "a t\nb t\nc t\nd t\n").toString();
    var url = "http://127.0.0.1:" + tunnel.getAddress().getPort();
    try {
      var refused = run("--url", url, "--tokens", tokens, "--follows", "1");
      var sent = List.copyOf(asked);
      var allowed =
          run("--url", url, "--tokens", tokens, "--follows", "1", "--i-own-this-host", "127.0.0.1");

      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err())
          .contains("is no local platform: HTTP 404. A load disturbs its users")
          .contains("--i-own-this-host 127.0.0.1");
      assertThat(sent).as("requests without consent").containsExactly("POST /v1/dev/drain");
      assertThat(allowed.err()).doesNotContain("is no local platform");
      assertThat(asked).as("requests with consent").contains("POST /v1/users");
    } finally {
      tunnel.stop(0);
    }
  }

  /** Such as a page for everything that it does not know. */
  @ParameterizedTest
  @CsvSource({"200, '<html>', ''", "202, '3 records', ''", "200, '{}', --prepared"})
  void serverThatAnswersEverything_needsConsent(int status, String body, String more)
      throws IOException {
    try (var server = new AnyAnswer(status, body)) {
      var arguments = new ArrayList<>(List.of("--url", server.url(), "--tokens", tokens()));
      if (!more.isEmpty()) {
        arguments.add(more);
      }

      var refused = run(arguments.toArray(String[]::new));

      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err())
          .contains("is no local platform: HTTP %d".formatted(status))
          .contains("--i-own-this-host 127.0.0.1");
      assertThat(server.asked.stream().map(Asked::request)).containsExactly("POST /v1/dev/drain");
    }
  }

  @Test
  void preparation_isNoFasterThanTheRate() throws IOException {
    var body = "{\"id\":\"p\",\"items\":[{\"id\":\"p\"}],\"likes_count\":1}";
    try (var server = new AnyAnswer(200, body)) {
      var _ =
          run(
              ("--url %s --tokens %s --i-own-this-host 127.0.0.1 --follows 1 --rate 10 --warm-up 0"
                      + " --duration 1")
                  .formatted(server.url(), tokens())
                  .split(" "));

      var asked = List.copyOf(server.asked);
      var first =
          asked.stream()
              .filter(each -> each.request().equals("GET /v1/notifications/unread-count"))
              .findFirst()
              .orElseThrow();
      var before = asked.subList(0, asked.indexOf(first));
      assertThat(before).hasSizeGreaterThan(10);
      assertThat(before.getLast().nanos() - before.getFirst().nanos())
          .as("%d requests before the load", before.size())
          .isGreaterThan(before.size() * 50_000_000L);
    }
  }

  private String tokens() throws IOException {
    return Files.writeString(folder.resolve("tokens.txt"), "a t\nb t\nc t\nd t\n").toString();
  }

  /** A request and the time at which it came. */
  private record Asked(String request, long nanos) {}

  /** A server that has the same answer to all requests. */
  private static final class AnyAnswer implements AutoCloseable {
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final ConcurrentLinkedQueue<Asked> asked = new ConcurrentLinkedQueue<>();

    AnyAnswer(int status, String body) throws IOException {
      server.createContext(
          "/",
          exchange -> {
            asked.add(
                new Asked(
                    exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath(),
                    System.nanoTime()));
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
          });
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  /** They would have no effect. */
  @ParameterizedTest
  @CsvSource({
    "--graph FILE --accounts 5 --duration 1 --warm-up 0, --accounts has no effect with --graph",
    "--graph FILE --follows 2 --duration 1 --warm-up 0, --follows has no effect with --graph",
    "--url http://127.0.0.1:1 --skip-verify, --skip-verify has no effect with --url"
  })
  void optionsWithoutEffect_areRejected(String options, String message) throws IOException {
    var file = Files.writeString(folder.resolve("graph.txt"), "a b\nb a\n").toString();

    var result =
        run(
            Stream.of(options.split(" "))
                .map(o -> o.equals("FILE") ? file : o)
                .toArray(String[]::new));

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains(message);
  }

  @Test
  void consentWithoutTokens_isRejected() {
    var result = run("--url", "http://127.0.0.1:1", "--i-own-this-host", "127.0.0.1");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("--i-own-this-host needs --tokens");
  }

  @ParameterizedTest
  @CsvSource({
    "--rate, 0, --rate must be",
    "--rate, 5001, --rate must be",
    "--duration, 3601, --duration must be",
    "--accounts, 1, --accounts must be",
    "--accounts, 1000001, --accounts must be",
    "--follows, 0, --follows must be",
    "--posts-per-user, 51, --posts-per-user must be",
    "--in-flight, 0, --in-flight must be",
    "--warm-up, -1, --warm-up must be",
    "--graph, no-such-file, cannot read the file",
    "--report, no/such/folder/r.html, cannot write the file",
    "--tokens, no-such-file, --tokens needs --url",
    "--i-own-this-host, localhost, needs --url",
    "--url, ftp://127.0.0.1, --url must be the address"
  })
  void optionsOutOfBounds_areRejected(String option, String value, String message) {
    var result = run(option, value);

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains(message);
  }

  @Test
  void reportThatCannotReplaceWhatIsThere_isRejected() throws IOException {
    var taken = Files.createDirectory(folder.resolve("taken.json"));

    var result = run("--json", taken.toString());

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("--json: cannot write the file " + taken);
  }

  @Test
  void reportThatMayNotBeReplaced_isRejected() throws IOException {
    var file = readOnly();

    var result = run("--report", file.toString());

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("--report: cannot write the file " + file);
  }

  /** Returns a file in a folder that can be written. Root may write all but those of the kernel. */
  private Path readOnly() throws IOException {
    var file = Files.createFile(folder.resolve("load.html"));
    assertThat(file.toFile().setReadOnly()).isTrue();
    return Files.isWritable(file)
        ? Files.createSymbolicLink(folder.resolve("link"), Path.of("/proc/sys/kernel/ostype"))
        : file;
  }

  /** The name is too long for a file, which shows only when it is written. */
  @Test
  void reportThatCannotBeWritten_losesNothingElse() throws IOException {
    var json = folder.resolve("load.json");
    var unwritable = folder.resolve("x".repeat(300));

    var result =
        run(
            ("--accounts 5 --follows 1 --posts-per-user 1 --rate 10 --duration 1 --warm-up 0"
                    + " --skip-verify --report %s --json %s")
                .formatted(unwritable, json)
                .split(" "));

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).contains("requests scheduled").contains("The stream was drained");
    assertThat(result.err()).contains("Cannot write the file " + unwritable);
    assertThat(new ObjectMapper().readTree(json.toFile()).has("drained_s")).isTrue();
  }

  @Test
  void urlWithoutAPlatform_isReported() {
    var result = run("--url", "http://127.0.0.1:1");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("No platform answers at http://127.0.0.1:1");
  }

  @Test
  void wrongMix_isReported() throws IOException {
    var mix = Files.writeString(folder.resolve("mix.properties"), "likes=3\n");

    var result = run("--mix", mix.toString());

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("The mix has no likes. It has older, read");
  }
}
