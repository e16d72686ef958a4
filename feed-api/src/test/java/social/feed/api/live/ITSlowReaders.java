package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import social.feed.api.edge.pipe.ServerChannels;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.ServerOnly;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Keys;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.SseClient;
import social.feed.testkit.SteppingClock;

/** Clients that read slowly or not at all, and their load on the server. */
@LongRunning
@ServerOnly
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITSlowReaders {
  private static final String PATH = "/v1/stream";
  private static final int MISSED = 250;

  /** Size of the event of the largest possible post. */
  private static final String LONGEST = "\u754c".repeat(500);

  private static final int EVENT_LEAST = 1_500;
  private static final int EVENT_MOST = 4_096;

  /** Bytes that may wait for a connection's socket. */
  private static final int WAITING_MOST = 64 * 1024 + EVENT_MOST;

  /** Bytes that the system buffers for a client that does not read. */
  private static final int SYSTEM_MOST = 256 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int BYTES_A_SECOND = 40_000;

  private final FeedServer server =
      FeedServer.start(
          Map.of(
              "feed.live.poll",
              "30ms",
              "feed.live.idle-poll",
              "60ms",
              "feed.live.heartbeat",
              "200ms",
              "feed.live.catch-up-events",
              MISSED,
              "feed.live.patience",
              PATIENCE.toMillis() + "ms",
              "feed.live.streams-per-user",
              1));
  private final LiveStreams streams = server.bean(LiveStreams.class);
  private final SteppingClock clock = new SteppingClock(Instant.now());
  private final SeedWorld world = new SeedWorld(server.table().table(), clock);
  private Person ann = world.user("ann");
  private Person bob = world.user("bob");
  private String token = "";
  private Api caller = server.anonymous();
  private String beginning = "";

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void begin() {
    ann = world.user("ann");
    bob = world.user("bob");
    ann.follows(bob);
    token = server.tokenOf(ann);
    caller = server.anonymous().withToken(token);
    beginning = Keys.at(clock.instant());
  }

  /** Posts not sent to ann; more than the buffers between server and client hold. */
  private List<String> missed(Person author) {
    List<String> ids = new ArrayList<>();
    List<FeedEntry> entries = new ArrayList<>();
    for (int i = 0; i < MISSED; i++) {
      var post = author.posts(LONGEST);
      ids.add(post.postId());
      entries.add(FeedEntry.of(post.ref(), ann.id()));
    }
    world.feeds.deliver(entries);
    return ids;
  }

  private RawStream connect() throws IOException {
    RawStream client = new RawStream(server.uri(), token, beginning);
    assertThat(client.answer().head()).startsWith("HTTP/1.1 200");
    return client;
  }

  private LiveStream onlyStream() {
    assertThat(streams.open()).hasSize(1);
    return streams.open().iterator().next();
  }

  @Test
  void clientThatDoesNotRead_isDisconnected_andMissesNothingAfterReconnect() throws IOException {
    List<String> missed = missed(bob);
    List<RawStream.Entry> received;
    try (RawStream client = connect()) {
      LiveStream stream = onlyStream();
      Channel connection = server.bean(ServerChannels.class).from(client.answer().port());
      Expect.problem(429, "too_many_streams", caller.get(PATH));
      Polling.until(() -> !connection.isWritable());
      int sent = stream.sent();
      assertThat(connection.unsafe().outboundBuffer().totalPendingWriteBytes())
          .isLessThanOrEqualTo(WAITING_MOST);

      Polling.until(() -> streams.open().isEmpty());

      assertThat(stream.sent()).as("sent to a connection that does not read").isLessThan(sent + 3);
      client.answer().drain();
      assertThat(client.answer().taken()).isLessThan(SYSTEM_MOST);
      received = client.entries();
      assertThat(received).isNotEmpty().hasSizeLessThan(MISSED);
      assertThat(stream.sent() - received.size())
          .as("events retained for the client")
          .isLessThan(WAITING_MOST / EVENT_LEAST + 2);
    }
    List<String> all = new ArrayList<>(received.stream().map(RawStream.Entry::postId).toList());
    try (SseClient back = caller.with("Last-Event-ID", received.getLast().id()).stream(PATH)) {
      while (all.size() < MISSED) {
        all.add(RawStream.postId(back.next().data()));
      }
      var last = bob.posts("the next");
      world.feeds.deliver(List.of(FeedEntry.of(last.ref(), ann.id())));
      assertThat(back.next().data()).contains(last.postId());
    }
    assertThat(all).isEqualTo(missed);
    Polling.until(() -> streams.open().isEmpty());
  }

  @Test
  void clientThatReadsSlowlyButSteadily_receivesEverything() throws IOException {
    List<String> missed = missed(bob);
    try (RawStream client = connect()) {
      Channel connection = server.bean(ServerChannels.class).from(client.answer().port());
      Polling.until(() -> !connection.isWritable());
      Instant start = Instant.now();
      int answered = 0;
      while (client.entries().size() < MISSED) {
        assertThat(client.answer().take(4_096)).as("connection closed").isPositive();
        // Other requests are answered at the same time, while the client is not behind its pace.
        while (millisSince(start) < 1_000L * client.answer().taken() / BYTES_A_SECOND) {
          Expect.status(200, caller.get("/v1/users/" + bob.id()));
          answered++;
        }
      }
      assertThat(answered).isPositive();
      assertThat(millisSince(start)).isGreaterThan(2 * PATIENCE.toMillis());
      assertThat(client.entries().stream().map(RawStream.Entry::postId)).isEqualTo(missed);
      assertThat(streams.open()).hasSize(1);
    }
    Polling.until(() -> streams.open().isEmpty());
  }

  @Test
  void clientBlockedWhileItDoesNotRead_receivesNothingMoreFromTheBlocker() throws IOException {
    Person cid = world.user("cid");
    ann.follows(cid);
    List<String> missed = missed(cid);
    try (RawStream client = connect()) {
      LiveStream stream = onlyStream();
      Channel connection = server.bean(ServerChannels.class).from(client.answer().port());
      Polling.until(() -> !connection.isWritable());

      cid.blocks(ann);

      int sent = stream.sent();
      var own = ann.posts("after it");
      world.feeds.deliver(List.of(FeedEntry.of(own.ref(), ann.id())));
      while (client.entries().isEmpty()
          || !client.entries().getLast().postId().equals(own.postId())) {
        assertThat(client.answer().take(4_096)).as("connection closed").isPositive();
      }
      List<String> received = client.entries().stream().map(RawStream.Entry::postId).toList();
      assertThat(received).hasSizeLessThanOrEqualTo(sent + LiveEventReader.PART + 1);
      assertThat(received.subList(0, received.size() - 1))
          .isEqualTo(missed.subList(0, received.size() - 1));
    }
    Polling.until(() -> streams.open().isEmpty());
  }

  private static long millisSince(Instant start) {
    return Duration.between(start, Instant.now()).toMillis();
  }
}
