package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jwt.JWTClaimsSet;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import social.feed.api.edge.pipe.ReadPieces;
import social.feed.api.edge.security.TestViewer;
import social.feed.api.edge.security.Tokens;
import social.feed.api.home.FeedReadTracker;
import social.feed.api.http.Answer;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.ServerOnly;
import social.feed.table.row.Post;
import social.feed.testkit.Polling;
import social.feed.testkit.SseClient;
import social.feed.testkit.SseClient.Received;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Lifetime and number of streams. */
class ITLiveEnds extends LiveScenario {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void quietStream_sendsHeartbeatsThatAdvanceTheId() {
    try (SseClient events = stream()) {
      String first = events.begin();
      Instant start = Instant.now();
      String last = first;
      // Longer than the time limit of a request.
      while (Duration.between(start, Instant.now()).toMillis() < 1_500) {
        Received alive = events.block();
        assertThat(alive.comment()).as("%s", alive).isNotEmpty();
        assertThat(alive.data()).isEmpty();
        assertThat(alive.id()).isGreaterThan(last);
        last = alive.id();
      }
      expectNothingElse(events);
    }
  }

  @Test
  @ServerOnly
  void streamsBeyondThree_areRejectedUntilOneEnds() {
    try (SseClient one = stream();
        SseClient two = stream();
        SseClient three = stream()) {
      for (SseClient events : List.of(one, two, three)) {
        events.begin();
      }
      Answer refused = caller.get(PATH);
      Expect.problem(429, "too_many_streams", refused);
      assertThat(refused.header("Retry-After")).isPresent();
      Expect.status(200, server.as(bob).get(PATH));

      two.close();

      awaitStatus(200, () -> caller.get(PATH));
    }
  }

  @Test
  @ServerOnly
  void streamsBeyondThoseOfTheProcess_areRejectedUntilOneEnds() {
    var one = new HashMap<String, Object>(QUICK);
    one.put("feed.live.streams", 1);
    FeedServer second = server.another(one);
    try {
      try (SseClient events = second.as(ann).stream(PATH)) {
        events.begin();
        Expect.problem(503, "streams_exhausted", second.as(bob).get(PATH));
      }
      awaitStatus(200, () -> second.as(bob).get(PATH));
    } finally {
      second.stop();
    }
  }

  /** Repeats a request until the response has a status. */
  private static void awaitStatus(int status, Supplier<Answer> ask) {
    Instant end = Instant.now().plus(PATIENCE);
    Answer answer = ask.get();
    while (answer.status() != status && Instant.now().isBefore(end)) {
      Polling.pause();
      answer = ask.get();
    }
    Expect.status(status, answer);
  }

  @Test
  void stream_endsWithItsToken() throws JOSEException {
    Instant end = Instant.now().plusSeconds(10);
    String token =
        Tokens.dev(
            new JWTClaimsSet.Builder().subject(ann.id()).expirationTime(Date.from(end)).build());
    try (SseClient events = server.anonymous().withToken(token).stream(PATH)) {
      events.begin();
      events.ends();
      assertThat(Instant.now()).isAfterOrEqualTo(end.minusSeconds(1));
    }
    Expect.problem(401, "unauthenticated", server.anonymous().withToken(token).get(PATH));
  }

  /** A client that reads slowly gets no more of what waits for it. */
  @Test
  void streamWhoseTokenHasEnded_sendsNothingThatWaits() {
    var configuration = server.bean(LiveConfiguration.class);
    var time = InstantSource.system();
    var reader =
        new LiveEventReader(
            TestViewer.of(ann.id(), server.table().table(), Clock.systemUTC()),
            server.bean(LiveSources.class),
            server.bean(FeedReadTracker.class),
            configuration,
            time);
    var stream =
        new LiveStream(
            reader,
            List.of(reader.heartbeat(), reader.heartbeat()),
            (_, _, _) -> Optional.of(List.of()),
            time.instant(),
            configuration,
            time,
            server.bean(EventText.class));
    List<byte[]> sent = ReadPieces.of(stream.pipe());

    stream.run();

    // A function first says when to come back.
    assertThat(sent)
        .map(piece -> new String(piece, StandardCharsets.UTF_8))
        .filteredOn(piece -> !piece.startsWith("retry: "))
        .isEmpty();
  }

  /** A function answers with what is there, and waits for no turn. */
  @Test
  @ServerOnly
  void streamThatNeverHasATurnToPoll_sendsHeartbeatsAndEndsWithItsToken() {
    var configuration = server.bean(LiveConfiguration.class);
    var time = new SteppingClock(Instant.now());
    var reader =
        new LiveEventReader(
            TestViewer.of(ann.id(), server.table().table(), Clock.systemUTC()),
            server.bean(LiveSources.class),
            server.bean(FeedReadTracker.class),
            configuration,
            time);
    int heartbeats = 3;
    var stream =
        new LiveStream(
            reader,
            List.of(reader.heartbeat()),
            (_, patience, _) -> {
              time.advance(patience);
              return Optional.empty();
            },
            time.instant().plus(configuration.heartbeat().multipliedBy(heartbeats).plusMillis(100)),
            configuration,
            time,
            server.bean(EventText.class));
    List<byte[]> sent = ReadPieces.of(stream.pipe());

    stream.run();

    assertThat(sent)
        .map(piece -> new String(piece, StandardCharsets.UTF_8))
        .filteredOn(piece -> !piece.startsWith("retry: "))
        .hasSize(1 + heartbeats);
  }

  /** The lifetime ends before a gateway would cut the stream, possibly inside an event. */
  @Test
  @ServerOnly
  void stream_atTheEndOfItsLifetime_ends_andItsClientMissesNothing() {
    var brief = new HashMap<String, Object>(QUICK);
    brief.put("feed.live.lasts", "2s");
    FeedServer second = server.another(brief);
    try {
      Instant opened = Instant.now();
      String last;
      try (SseClient events = second.as(ann).stream(PATH)) {
        events.begin();
        events.ends();
        last = events.lastId();
      }
      assertThat(Instant.now()).isAfterOrEqualTo(opened.plusSeconds(2));
      Post missed = delivered(bob.posts("while disconnected"));
      try (SseClient events = second.as(ann).with("Last-Event-ID", last).stream(PATH)) {
        expect(events, missed);
      }
    } finally {
      second.stop();
    }
  }

  @Test
  @ServerOnly
  void stoppingServer_endsItsStreams() {
    FeedServer second = server.another(QUICK);
    try (SseClient events = second.as(ann).stream(PATH)) {
      events.begin();

      second.stop();

      events.ends();
    }
  }

  /** The shutdown begins while the first poll of the stream reads. */
  @Test
  @ServerOnly
  void streamThatIsOpenedWhileTheServerStops_ends() {
    var stops = new AtomicReference<Runnable>(() -> {});
    FeedServer second =
        server.another(
            QUICK,
            new Wire() {
              @Override
              public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
                if (request instanceof QueryRequest) {
                  stops.getAndSet(() -> {}).run();
                }
                return table.apply(request);
              }
            });
    var hasStopped = new AtomicBoolean();
    stops.set(
        () -> {
          second.bean(LiveStreams.class).shutdownGracefully();
          hasStopped.set(true);
        });
    try (SseClient events = second.as(ann).stream(PATH)) {
      assertThat(hasStopped).isTrue();
      events.ends();
    } finally {
      second.stop();
    }
  }

  @Test
  void gracefulShutdown_endsStreamsBeforeItWaitsForOpenRequests() {
    FeedServer second = server.another(QUICK);
    try (SseClient events = second.as(ann).stream(PATH)) {
      events.begin();

      second.bean(LiveStreams.class).shutdownGracefully();

      events.ends();
    } finally {
      second.stop();
    }
  }
}
