package social.feed.ctl;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.testkit.LongRunning;

/** Tests the start and the stop of the platform. */
@LongRunning
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ITUp {
  private static final List<String> PORTS = List.of("--port", "--dynamodb-port", "--queue-port");

  /** The environment of a developer who works with AWS, with invalid values. */
  private static final Map<String, String> AWS_SETTINGS =
      Map.of(
          "AWS_PROFILE", "no-such-profile",
          "AWS_ACCESS_KEY_ID", "AK/IA+not=alphanumeric",
          "AWS_SECRET_ACCESS_KEY", "secret",
          "AWS_REGION", "mars-north-1",
          "AWS_DEFAULTS_MODE", "unknown",
          "AWS_ACCOUNT_ID_ENDPOINT_MODE", "required",
          "AWS_USE_FIPS_ENDPOINT", "true",
          "AWS_USE_DUALSTACK_ENDPOINT", "true");

  /** A banner, which a signal may come too late to prevent. */
  private static final Pattern BANNER = Pattern.compile("(?s)^Open .*\n *Ctrl-C [^\n]*\n");

  /** A warning of a library, with its stack trace: libraries may warn when they are stopped. */
  private static final Pattern WARNING_OF_A_LIBRARY =
      Pattern.compile(
          "(?m)^[\\d:.]{12} WARN  (?!s(ocial)?\\.f(eed)?\\.).*\n"
              + "(\\s+(at|\\.\\.\\.) .*\n|((Caused by|Suppressed): )?[\\w.$]+(Exception|Error)\\b.*\n)*");

  @ParameterizedTest
  @ValueSource(strings = {"--port", "--dynamodb-port", "--queue-port"})
  void takenPort_isNamedWithTheOptionThatChangesIt(String option) throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      var port = Integer.toString(taken.getLocalPort());
      var err = new StringWriter();
      var arguments =
          Stream.concat(
              Stream.of("up", "--in-memory"),
              PORTS.stream().flatMap(o -> Stream.of(o, o.equals(option) ? port : "0")));

      int code =
          Main.commandLine()
              .setErr(new PrintWriter(err, true))
              .execute(arguments.toArray(String[]::new));

      assertThat(code).isEqualTo(2);
      assertThat(err.toString())
          .containsOnlyOnce("\n")
          .contains("127.0.0.1:" + port)
          .contains(option + " " + (taken.getLocalPort() + 1))
          .contains("or " + option + " 0 for any free one");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--port 8765", "--port 8764 --api 2"})
  void samePortTwice_isRejected(String options) {
    assertThat(rejected("--queue-port", "8765", options))
        .contains("must differ, unless they are 0");
  }

  @Test
  void tooManyProcesses_areRejected() {
    assertThat(rejected("--multiplexers 17")).contains("--multiplexers must be 0 to 16, not 17");
    assertThat(rejected("--port 65535 --api 2")).contains("65535, not 65536");
  }

  @Test
  void kafkaThatIsNoAddress_isRejected(@TempDir Path folder) throws IOException {
    var properties = folder.resolve("client.properties");
    Files.writeString(properties, "acsk=all\n");
    assertThat(rejected("--kafka broker")).contains("must be HOST:PORT");
    assertThat(rejected("--kafka-properties " + properties)).contains("needs --kafka");
    assertThat(rejected("--kafka b:9092 --kafka-properties " + folder.resolve("none")))
        .contains("cannot be read");
    assertThat(rejected("--kafka b:9092 --kafka-properties " + properties)).contains("[acsk]");
  }

  @Test
  void typesOfEventsThatEveryoneMayKnow_areRejected() {
    assertThat(rejected("--private-events notification.created,post.created"))
        .contains(
            "--private-events: ", "account.suspicious, notification.created, not post.created");
    assertThat(rejected("--private-events notification.created"))
        .contains("--private-events needs --webhook or --kafka");
  }

  @Test
  void thresholdThatIsNone_isRejected() {
    assertThat(rejected("--suspicious follows=20,score=many")).contains("--suspicious: Thresholds");
    assertThat(rejected("--suspicious burst=2"))
        .contains(
            "--suspicious: burst is no threshold of suspicious follows; there are block-share");
  }

  /** A platform starts without its broker. */
  @Test
  void kafkaThatIsAway_isInTheBanner(@TempDir Path home) throws Exception {
    try (var up = UpProcess.start(home, Map.of(), "--in-memory", "--kafka", "127.0.0.1:9/all")) {
      assertThat(up.printedUntil("Ctrl-C")).contains("Kafka         127.0.0.1:9/all");
      up.signal("INT");
      assertThat(printedByTheStop(up)).endsWith("Stopping.\nStopped.");
    }
  }

  /** Returns the message of a start that is rejected. */
  private static String rejected(String... options) {
    var err = new StringWriter();
    var arguments = ("up --in-memory " + String.join(" ", options)).split(" ");

    int code = Main.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);

    assertThat(code).isEqualTo(2);
    return err.toString();
  }

  @ParameterizedTest
  @CsvSource({"INT, 130, dynamodb", "TERM, 143, queue"})
  void signalWhileStarting_stopsInOrder(String signal, int code, String opens, @TempDir Path data)
      throws Exception {
    try (var watch = data.getFileSystem().newWatchService()) {
      data.register(watch, ENTRY_CREATE);
      try (var up = UpProcess.start(data, Map.of(), "--data", data.toString())) {
        boolean begun = false;
        while (!begun) {
          var key = watch.take();
          begun = key.pollEvents().stream().anyMatch(e -> opens.equals(e.context() + ""));
          key.reset();
        }
        up.signal(signal);

        assertThat(printedByTheStop(up)).isEqualTo("Stopping.\nStopped.");
        assertThat(up.exitCode()).isEqualTo(code);
      }
    }
  }

  @Test
  void up_ofADeveloperWithAwsSettings_isHealthyAndKeepsDataInTheCheckout(@TempDir Path home)
      throws Exception {
    try (var up = UpProcess.start(home, AWS_SETTINGS)) {
      var banner = up.printedUntil("Ctrl-C");

      assertThat(banner).contains("data          " + home.resolve("data"));
      new Rehearsal(api(banner)).run();
      up.signal("INT");
      assertThat(printedByTheStop(up)).endsWith("Stopping.\nStopped.");
      assertThat(up.exitCode()).isEqualTo(130);
    }
  }

  /** A terminal interrupts all processes at once. Here the first one is interrupted last. */
  @Test
  void interruptOfAllProcesses_stopsInOrder(@TempDir Path home) throws Exception {
    try (var up =
        UpProcess.start(home, Map.of(), "--in-memory", "--api", "1", "--multiplexers", "1")) {
      var banner = up.printedUntil("Ctrl-C");
      var others = up.others();
      assertThat(others).hasSize(2);
      UpProcess.signal("INT", others);
      new Rehearsal(api(banner)).run();
      up.signal("INT");

      assertThat(printedByTheStop(up)).isEqualTo("Stopping.\nStopped.");
      assertThat(up.exitCode()).isEqualTo(130);
      assertThat(others).noneMatch(ProcessHandle::isAlive);
    }
  }

  /** Returns what a platform prints after a signal, apart from warnings of libraries. */
  private static String printedByTheStop(UpProcess up) {
    var rest = BANNER.matcher(up.rest()).replaceFirst("");
    return WARNING_OF_A_LIBRARY.matcher(rest).replaceAll("");
  }

  private static URI api(String banner) {
    var matcher = Pattern.compile("API +(http\\S+)").matcher(banner);
    assertThat(matcher.find()).as(banner).isTrue();
    return URI.create(matcher.group(1));
  }
}
