package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import social.feed.local.MediaFolderRoute;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.cost.UnitRateLimiter;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Key;
import social.feed.table.row.Media;
import social.feed.table.row.User;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import social.feed.verify.RepairLoop;
import social.feed.verify.Verification;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Runs of days meet a table that refuses, and servers that stop to answer. */
@LongRunning
class ITVerifyFailures {
  private static final String REFUSED = "ProvisionedThroughputExceededException";

  /** More than the SDK repeats by itself, and than the table repeats a batch. */
  private static final int REFUSALS = 12;

  private static final Runnable NOTHING = () -> {};

  private final VerifyWorld world = new VerifyWorld();

  @BeforeEach
  void load(@TempDir Path folder) {
    world.load(folder, "1 2\n2 1\n", 1, 100);
    world.set(User.key("1"), User.POSTS_COUNT, Fault.number(7));
  }

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void refusalsForMinutes_endNoRun() throws IOException {
    var attempts = new ConcurrentHashMap<String, Integer>();
    try (var front =
        new TableFront(
            world.platform().dynamodb(),
            (operation, body) ->
                operation.equals("DescribeTable")
                        || attempts.merge(operation + body, 1, Integer::sum) > REFUSALS
                    ? Optional.empty()
                    : Optional.of(REFUSED))) {
      var options = new TableOptions();
      new CommandLine(options)
          .parseArgs("--endpoint", front.url().toString(), "--table", PlatformSettings.TABLE);
      int most = TableOptions.PATIENT.attempts();
      var retry = new Retry(most, Duration.ZERO, Duration.ZERO, new Random(1), _ -> {});
      var table = options.open(new UnitRateLimiter(1e9), retry);

      var fixed = loop(table).run(NOTHING, _ -> {}, _ -> {});

      assertThat(fixed.repaired()).as(fixed.render()).isEqualTo(1);
      assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
      assertThat(table.retry()).isSameAs(retry);
      assertThat(attempts).hasSizeGreaterThan(10);
      assertThat(options.open(new UnitRateLimiter(1)).retry()).isSameAs(TableOptions.PATIENT);
    }
  }

  @Test
  void repairThatIsThrottled_isLeft() {
    world.set(User.key("1"), Index.UNREAD.sortKey(), Fault.text("elsewhere"));
    var wired = WiredClient.of(world.table().client(), new RefusedUpdates());

    var fixed =
        loop(new Table(wired, PlatformSettings.TABLE, world.table().retry()))
            .run(NOTHING, _ -> {}, _ -> {});

    assertThat(fixed.after().drifts()).as(fixed.render()).isPositive();
    assertThat(fixed.render()).contains("left, index keys:", "elsewhere");
  }

  private record RefusedUpdates() implements Wire {
    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (request instanceof UpdateItemRequest) {
        throw ProvisionedThroughputExceededException.builder()
            .message("Refused")
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(REFUSED).build())
            .build();
      }
      return table.apply(request);
    }
  }

  @Test
  void verification_thatFails_saysWhatItHasFound() {
    var verification = new Verification(world.table(), Optional.empty());
    var drains = new AtomicInteger();

    assertThatThrownBy(
            () ->
                verification.run(
                    () -> {
                      if (drains.incrementAndGet() > 1) {
                        throw new IllegalStateException("No platform answers");
                      }
                    },
                    _ -> {}))
        .hasMessage("No platform answers");

    var soFar = verification.soFar();
    assertThat(soFar.drifts()).as(soFar.render()).isEqualTo(1);
    assertThat(soFar.render()).contains("posts_count:", "USER#1 / META differs");
    assertThat(soFar.rows()).isEqualTo(world.items().size());
  }

  /** As when the credentials expire after weeks. */
  @Test
  void fix_thatFailsInItsSecondWalk_printsWhatItHasRepairedAndWhatIsLeft() throws IOException {
    var ofNoKind = new Key("no", "kind");
    world.put(KeyAttributes.of(ofNoKind));
    var scans = new AtomicInteger();
    try (var front =
        new TableFront(
            world.platform().dynamodb(),
            (operation, _) ->
                operation.equals("Scan") && scans.incrementAndGet() > 1
                    ? Optional.of("AccessDeniedException")
                    : Optional.empty())) {
      var fixed = CommandRun.ofAws(front.url(), "verify", "--fix", "--settle-seconds", "0");

      assertThat(fixed.code()).isEqualTo(2);
      assertThat(fixed.out())
          .contains("The run has failed.")
          .contains("repaired, posts_count:", "posts_count is 7, but 1 were counted")
          .contains(ofNoKind + " differs")
          .doesNotContain(User.key("1") + " differs");
      assertThat(fixed.err()).contains("Refused");
    }
  }

  /** As when an operator ends it after weeks. */
  @Test
  void fix_thatASignalEndsInItsSecondWalk_printsWhatItHasRepaired(@TempDir Path home)
      throws Exception {
    var scans = new AtomicInteger();
    var isInSecondWalk = new CountDownLatch(1);
    var isOver = new CountDownLatch(1);
    try (var front =
            new TableFront(
                world.platform().dynamodb(),
                (operation, _) -> {
                  if (operation.equals("Scan") && scans.incrementAndGet() > 1) {
                    isInSecondWalk.countDown();
                    awaitOf(isOver);
                  }
                  return Optional.empty();
                });
        var fixing =
            UpProcess.command(
                home,
                Map.of(
                    "AWS_ENDPOINT_URL_DYNAMODB", front.url().toString(),
                    "AWS_ACCESS_KEY_ID", "local",
                    "AWS_SECRET_ACCESS_KEY", "local"),
                "verify",
                "--fix",
                "--settle-seconds",
                "0",
                "--url",
                "http://127.0.0.1:1",
                "--region",
                "us-east-1",
                "--table",
                PlatformSettings.TABLE)) {
      awaitOf(isInSecondWalk);
      fixing.signal("TERM");

      assertThat(fixing.rest())
          .contains("The run was ended.")
          .contains("repaired, posts_count:", "posts_count is 7, but 1 were counted");
      assertThat(fixing.exitCode()).isEqualTo(128 + 15);
      isOver.countDown();
    }
  }

  private static void awaitOf(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A link in the folder that leads to itself cannot be read. */
  @Test
  void verify_thatCannotReadTheFilesAfterTheWalk_printsItsReport(@TempDir Path media)
      throws IOException {
    var id = TimeOrderedId.named(Instant.EPOCH, "image");
    var row = new Media(id, "1", "image/png", 9, "f00d", null, Fault.now(), 3, 2, null);
    assertThat(new MediaFiles(world.table()).reserve(row, new MediaQuota(9, 99)))
        .isEqualTo(MediaOutcome.RESERVED);
    Files.createSymbolicLink(media.resolve(id), media.resolve(id));

    var verified = buffered(world.platform().api(), "--media", media.toString());

    assertThat(verified.code()).isEqualTo(2);
    assertThat(verified.err()).contains(id);
    assertThat(verified.out()).contains("posts_count is 7, but 1 were counted");
  }

  @Test
  void verify_whoseIndexDoesNotAnswer_failsBeforeTheWalk() throws IOException {
    try (var platform = new Platform()) {
      var verified = buffered(platform.url());

      assertThat(verified.code()).isEqualTo(2);
      assertThat(verified.err()).contains("does not let its search index be compared: HTTP 500");
      assertThat(platform.paths).noneMatch(path -> path.startsWith("/v1/dev/drain"));
    }
  }

  /** A platform that is drained, has no files, and an index that fails. */
  private static final class Platform implements AutoCloseable {
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final List<String> paths = new CopyOnWriteArrayList<>();

    Platform() throws IOException {
      server.createContext("/", this::handle);
      server.start();
    }

    URI url() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
      try (exchange) {
        var path = exchange.getRequestURI().toString();
        paths.add(path);
        if (path.startsWith("/v1/dev/drain")) {
          answer(exchange, 200, "drained");
        } else if (path.startsWith(MediaFolderRoute.PATH)) {
          answer(exchange, 404, "{}");
        } else {
          answer(exchange, 500, "{}");
        }
      }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
      var bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  /** Runs verify with an output that, like that of the process, is lost unless it is flushed. */
  private CommandRun buffered(URI api, String... more) {
    var out = new StringWriter();
    var err = new StringWriter();
    var arguments = new ArrayList<>(List.of("verify", "--url", api.toString()));
    arguments.addAll(List.of("--endpoint", world.platform().dynamodb().toString()));
    arguments.addAll(List.of("--table", PlatformSettings.TABLE));
    arguments.addAll(List.of(more));
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(new BufferedWriter(out), true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments.toArray(String[]::new));
    return new CommandRun(code, out.toString(), err.toString());
  }

  private static RepairLoop loop(Table table) {
    return new RepairLoop(
        table, Clock.systemUTC(), Optional.empty(), TrendingTags.HALF_LIFE, (places, _) -> places);
  }
}
