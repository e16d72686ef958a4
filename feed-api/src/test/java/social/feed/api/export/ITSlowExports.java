package social.feed.api.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import social.feed.api.edge.pipe.ServerChannels;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.RawAnswer;
import social.feed.api.http.ServerOnly;
import social.feed.table.row.Post;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Clients that read an export slowly or not at all, and the slot that they occupy. */
@LongRunning
@ServerOnly
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITSlowExports {
  private static final String EXPORT = "/v1/users/me/export";
  private static final int OK = 200;
  private static final int POSTS = 400;

  /** The largest possible post. */
  private static final String LONGEST = "\u754c".repeat(500);

  /** Bytes that may wait for a connection's socket. */
  private static final int WAITING_MOST = 64 * 1024 + 10 * 1024;

  /** Bytes that the system buffers for a client that does not read. */
  private static final int SYSTEM_MOST = 256 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int BYTES_A_SECOND = 60_000;

  /** A client that does not read keeps its slot for longer than any test runs. */
  private static final Map<String, Object> PATIENT =
      Map.of("feed.export.exports", 1, "feed.export.patience", "10m");

  private final FeedServer server =
      FeedServer.start(
          Map.of("feed.export.exports", 1, "feed.export.patience", PATIENCE.toMillis() + "ms"));
  private final SeedWorld world = server.world();
  private final Person ann = world.user("ann");
  private final Person bob = world.user("bob");
  private final Api other = server.as(bob);

  /** More than the buffers between server and client hold. */
  private final List<String> posts =
      Stream.generate(() -> ann.posts(LONGEST)).limit(POSTS).map(Post::postId).toList();

  @AfterAll
  void stop() {
    server.close();
  }

  private RawAnswer ask() throws IOException {
    return new RawAnswer(server.uri(), EXPORT, server.tokenOf(ann), "");
  }

  private RawAnswer begin() throws IOException {
    RawAnswer export = ask();
    assertThat(export.head()).startsWith("HTTP/1.1 200").containsIgnoringCase("x-ndjson");
    return export;
  }

  private boolean hasAPlace() {
    return hasAPlace(other);
  }

  /** Checks for a free slot without starting an export. */
  private static boolean hasAPlace(Api caller) {
    return caller.send("HEAD", EXPORT, null).status() == OK;
  }

  private void assertOthersAreExported() {
    Answer answer = Expect.status(OK, other.get(EXPORT));
    assertThat(answer.text().lines().filter(line -> line.contains("\"kind\":\"end\""))).hasSize(1);
  }

  private static Duration since(Instant start) {
    return Duration.between(start, Instant.now());
  }

  @Test
  void clientThatDoesNotRead_isDisconnected_andItsSlotIsFree() throws IOException {
    Instant start = Instant.now();
    try (RawAnswer export = begin()) {
      Channel connection = server.bean(ServerChannels.class).from(export.port());
      Polling.until(() -> !connection.isWritable());
      assertThat(connection.unsafe().outboundBuffer().totalPendingWriteBytes())
          .isLessThanOrEqualTo(WAITING_MOST);
      Expect.problem(503, "export_busy", other.get(EXPORT));

      Polling.until(this::hasAPlace);

      assertThat(since(start)).isBetween(PATIENCE, Duration.ofSeconds(30));
      assertOthersAreExported();
      export.drain();
      assertThat(export.taken()).isBetween(1, SYSTEM_MOST);
      assertThat(export.isWhole()).as("looks complete").isFalse();
      assertThat(export.text()).doesNotContain("\"kind\":\"end\"");
    }
  }

  @Test
  void clientThatReadsSlowlyButSteadily_receivesEverything() throws IOException {
    try (RawAnswer export = begin()) {
      Instant start = Instant.now();
      int answered = 0;
      while (!export.isWhole()) {
        assertThat(export.take(4_096)).as("connection closed").isPositive();
        // Other requests are answered at the same time, while the client is not behind its pace.
        while (since(start).toMillis() < 1_000L * export.taken() / BYTES_A_SECOND) {
          Expect.status(OK, other.get("/v1/users/" + ann.id()));
          answered++;
          Polling.pause();
        }
      }
      assertThat(answered).isPositive();
      assertThat(since(start)).isGreaterThan(PATIENCE.multipliedBy(2));
      assertThat(export.text()).contains(posts);
      assertThat(export.text()).endsWith("{\"kind\":\"end\",\"lines\":" + (POSTS + 1) + "}\n");
    }
    assertOthersAreExported();
  }

  @Test
  void clientThatReadsSlowlyForTooLong_isDisconnected() throws IOException {
    FeedServer second =
        server.another(Map.of("feed.export.patience", "2s", "feed.export.waits", "2s"));
    try (RawAnswer export = new RawAnswer(second.uri(), EXPORT, second.tokenOf(ann), "")) {
      assertThat(export.head()).startsWith("HTTP/1.1 200");
      Instant start = Instant.now();
      while (isTaken(export)) {
        while (since(start).toMillis() < 1_000L * export.taken() / BYTES_A_SECOND) {
          Polling.pause();
        }
      }
      assertThat(export.isWhole()).as("looks complete").isFalse();
      assertThat(export.text()).doesNotContain("\"kind\":\"end\"");
    } finally {
      second.stop();
    }
  }

  private static boolean isTaken(RawAnswer export) throws IOException {
    try {
      return export.take(4_096) > 0 && !export.isWhole();
    } catch (SocketException reset) {
      return false;
    }
  }

  @Test
  void secondExportOfACaller_isRejected() throws IOException {
    FeedServer second = server.another(Map.of("feed.export.exports", 2));
    try (RawAnswer export = new RawAnswer(second.uri(), EXPORT, second.tokenOf(ann), "")) {
      assertThat(export.head()).startsWith("HTTP/1.1 200");

      Expect.problem(429, "too_many_exports", second.as(ann).get(EXPORT));
      Expect.status(429, second.as(ann).send("HEAD", EXPORT, null));
      Expect.status(OK, second.as(bob).get(EXPORT));
    } finally {
      second.stop();
    }
  }

  @Test
  void clientThatDisconnects_releasesItsSlotAtOnce() throws IOException {
    FeedServer patient = server.another(PATIENT);
    Api there = patient.as(bob);
    try {
      try (RawAnswer export = new RawAnswer(patient.uri(), EXPORT, patient.tokenOf(ann), "")) {
        assertThat(export.head()).startsWith("HTTP/1.1 200");
        assertThat(export.take(1_000)).isPositive();
        assertThat(hasAPlace(there)).isFalse();
      }

      Polling.until(() -> hasAPlace(there));
    } finally {
      patient.stop();
    }
  }

  @Test
  void concurrentExports_areLimitedToTheSlots() throws IOException {
    Person dan = world.user("dan");
    for (int i = 0; i < POSTS; i++) {
      dan.posts(LONGEST);
    }
    FeedServer patient = server.another(PATIENT);
    Api there = patient.as(bob);
    try {
      assertOneOfEight(patient, List.of(ann, dan));

      Polling.until(() -> hasAPlace(there));
    } finally {
      patient.stop();
    }
  }

  private static void assertOneOfEight(FeedServer patient, List<Person> people) throws IOException {
    List<RawAnswer> exports = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        for (Person person : people) {
          exports.add(new RawAnswer(patient.uri(), EXPORT, patient.tokenOf(person), ""));
        }
      }
      List<String> heads = new ArrayList<>();
      for (RawAnswer export : exports) {
        heads.add(export.head().lines().findFirst().orElseThrow());
      }
      assertThat(heads).filteredOn(head -> head.startsWith("HTTP/1.1 200")).hasSize(1);
      assertThat(heads).filteredOn(head -> head.startsWith("HTTP/1.1 429")).hasSize(3);
      assertThat(heads).filteredOn(head -> head.startsWith("HTTP/1.1 503")).hasSize(4);
    } finally {
      for (RawAnswer export : exports) {
        export.close();
      }
    }
  }
}
