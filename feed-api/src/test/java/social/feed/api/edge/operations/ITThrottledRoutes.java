package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.api.edge.operations.Authorisation.Caller;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.ThrottlingWire;
import social.feed.testkit.SeedWorld.Person;

/** Every route of the document, while the table throttles and while a caller floods. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITThrottledRoutes {
  private static final String EXPORT = "get /v1/users/me/export";

  /** Its last write only makes the next count cheaper, so the response does not depend on it. */
  private static final String UNREAD_COUNT = "get /v1/notifications/unread-count";

  /** The operations that do not use the table. */
  private static final Set<String> WITHOUT_TABLE =
      Set.of("post /v1/dev/tokens", "get /v1/access-patterns");

  private static final int CALLS_MOST = 40;
  private static final int FLOODS = 4;

  /** Far longer than a request takes on a busy machine. */
  private static final Duration SLOW = Duration.ofSeconds(10);

  private final ThrottlingWire wire = new ThrottlingWire();
  private final FeedServer server =
      FeedServer.start(
          Map.of(
              "feed.pull.registry-cached", "0s",
              "feed.recent-followers.cached", "0s",
              "feed.live.streams-per-user", 1_000),
          wire);
  private final Map<String, Document.Operation> operations = RightRequests.operations(server);

  @AfterAll
  void stop() {
    server.close();
  }

  @AfterEach
  void cease() {
    wire.cease();
  }

  private Stream<String> routes() {
    return operations.keySet().stream();
  }

  /** Returns an account for which the route succeeds. */
  private record Asking(RightRequests requests, Person person, Api api, int success) {
    Answer send(String operation) {
      return requests.send(api, operation, person);
    }
  }

  private Asking asking(String operation) {
    Map<Caller, Integer> statuses =
        Authorisation.all().stream()
            .filter(row -> row.operation().equals(operation))
            .findFirst()
            .orElseThrow()
            .statuses();
    RightRequests requests = new RightRequests(server, server.world());
    int own = statuses.getOrDefault(Caller.SELF, 0);
    int followers = statuses.getOrDefault(Caller.FOLLOWER, 0);
    int operators = statuses.getOrDefault(Caller.OPERATOR, 0);
    if (own == 404 && followers == 404 && operators < 300) {
      return new Asking(requests, requests.other(), server.asOperator(requests.other()), operators);
    }
    if (own < 300) {
      return new Asking(requests, requests.owner(), server.as(requests.owner()), own);
    }
    assertThat(followers).as("a request succeeds").isLessThan(300);
    requests.other().follows(requests.owner());
    return new Asking(requests, requests.other(), server.as(requests.other()), followers);
  }

  private static void assertBusy(Answer answer) {
    Expect.problem(503, "table_busy", answer);
    assertThat(answer.header("Retry-After").orElse("")).matches("[1-9]\\d*");
  }

  /** A caller may have one stream here. */
  @Test
  void streamThatIsRefused_leavesItsPlaceToTheNextOne() {
    ThrottlingWire calls = new ThrottlingWire();
    try (FeedServer narrow = FeedServer.start(Map.of("feed.live.streams-per-user", 1), calls)) {
      RightRequests requests = new RightRequests(narrow, narrow.world());
      Api api = narrow.as(requests.owner());
      for (int i = 0; i < CALLS_MOST; i++) {
        calls.refuseAfter(i);
        Answer answer = requests.send(api, "get /v1/stream", requests.owner());
        if (calls.refusals() == 0) {
          Expect.status(200, answer);
          assertThat(i).as("refused streams").isGreaterThan(1);
          return;
        }
        assertBusy(answer);
      }
    }
    throw new AssertionError("No stream was opened");
  }

  /** The table throttles at the first call of a request, at the second, and so on. */
  @Timeout(180)
  @ParameterizedTest
  @MethodSource("routes")
  void route_throttledAtAnyCall_isBusyAndThenAnswered(String operation) {
    int calls = 0;
    while (true) {
      Asking asking = asking(operation);
      wire.refuseAfter(calls);
      if (operation.equals(EXPORT) && calls > 0) {
        assertThat(isCutOff(asking)).isEqualTo(wire.refusals() > 0);
      } else {
        Answer answer = asking.send(operation);
        boolean isDone = operation.equals(UNREAD_COUNT) && answer.status() == asking.success();
        if (wire.refusals() == 0 || isDone) {
          Expect.status(asking.success(), answer);
        } else {
          assertBusy(answer);
        }
      }
      boolean isWhole = wire.refusals() == 0;
      wire.cease();
      if (isWhole) {
        break;
      }
      assertThat(asking.send(operation).status())
          .as("tried again after call %s was refused", calls)
          .isEqualTo(asking.success());
      calls++;
      assertThat(calls).as("calls of one request").isLessThan(CALLS_MOST);
    }
    assertThat(calls == 0)
        .as("does not use the table")
        .isEqualTo(WITHOUT_TABLE.contains(operation));
  }

  /** A response that has begun cannot become a problem; its end is missing instead. */
  private static boolean isCutOff(Asking asking) {
    try {
      return !asking.send(EXPORT).text().contains("\"kind\":\"end\"");
    } catch (UncheckedIOException e) {
      return true;
    }
  }

  @Test
  void routes_forACallerWhoFloods_areRefusedWithoutAskingTheTable() {
    FeedServer strict =
        server.another(
            Map.of(
                "feed.limits.rate.per-second", 1,
                "feed.limits.rate.burst", 1,
                "feed.limits.rate.requests-per-change", 1,
                "feed.limits.rate.address-header", "X-Forwarded-For"));
    try {
      int number = 0;
      for (String operation : operations.keySet()) {
        RightRequests requests = new RightRequests(server, server.world());
        Person owner = requests.owner();
        Api from = strict.anonymous().with("X-Forwarded-For", "10.1.0." + ++number);
        Api flooder =
            operation.equals("post /v1/dev/tokens") ? from : from.withToken(server.tokenOf(owner));

        Answer answer = requests.send(flooder, operation, owner);
        for (int i = 0; answer.status() != 429 && i < 20; i++) {
          answer = requests.send(flooder, operation, owner);
        }

        Expect.problem(429, "rate_limited", answer);
        assertThat(answer.header("Retry-After")).as(operation).hasValue("1");
        assertThat(answer.header("X-Consumed-Read-Units")).as(operation).isEmpty();
      }
    } finally {
      strict.stop();
    }
  }

  /** The table throttles whatever concerns one caller, as it does with a hot partition. */
  @Test
  void flood_ofThrottledRequests_leavesTheOthersTheirAnswersAndTheirSpeed() throws Exception {
    RightRequests loud = new RightRequests(server, server.world());
    Person flooder = loud.owner();
    Api flooding = server.as(flooder);
    List<Api> quiet = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      quiet.add(server.as(server.world().user("quiet")));
    }
    wire.refuse(request -> request.toString().contains(flooder.id()));
    Queue<Answer> refused = new ConcurrentLinkedQueue<>();
    Duration longest = Duration.ZERO;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> floods = new ArrayList<>();
      for (int i = 0; i < FLOODS; i++) {
        floods.add(
            threads.submit(
                () -> routes().forEach(route -> refused.add(loud.send(flooding, route, flooder)))));
      }
      for (Api one : quiet) {
        for (String path : List.of("/v1/feed", "/v1/notifications", "/v1/users/me")) {
          Instant start = Instant.now();
          Expect.status(200, one.get(path));
          Duration took = Duration.between(start, Instant.now());
          longest = took.compareTo(longest) > 0 ? took : longest;
        }
      }
      for (Future<?> flood : floods) {
        flood.get();
      }
    }
    Map<Integer, Integer> met = new TreeMap<>();
    refused.forEach(answer -> met.merge(answer.status(), 1, Integer::sum));
    assertThat(met.keySet()).doesNotContain(500);
    assertThat(met.getOrDefault(503, 0)).isGreaterThan(FLOODS * operations.size() / 2);
    refused.stream()
        .filter(answer -> answer.status() >= 500)
        .forEach(ITThrottledRoutes::assertBusy);
    assertThat(longest).isLessThan(SLOW);
  }
}
