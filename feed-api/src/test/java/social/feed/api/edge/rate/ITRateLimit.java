package social.feed.api.edge.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.testkit.SeedWorld;

/** Callers above and below their request rate. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITRateLimit {
  private static final int BURST = 20;
  private static final int CHANGE = 4;

  /** Fewer than a caller may send at once. */
  private static final int TRIES = 10;

  /** Far longer than a request takes on a busy machine. */
  private static final Duration SLOW = Duration.ofSeconds(10);

  private final FeedServer server = FeedServer.start(settings());

  /** The settings of the server. */
  Map<String, Object> settings() {
    return Map.of(
        "feed.limits.rate.per-second",
        1,
        "feed.limits.rate.burst",
        BURST,
        "feed.limits.rate.requests-per-change",
        CHANGE,
        "feed.limits.rate.address-header",
        "X-Forwarded-For");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Uses a separate address, since tokens are requested without a token. */
  private Api from(String address) {
    return server.anonymous().with("X-Forwarded-For", "1.2.3.4, " + address);
  }

  private static List<Answer> flood(Api caller, String path, int times) {
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      answers.add(caller.get(path));
    }
    return answers;
  }

  /** A token comes back each second, so one request after a flood may be admitted. */
  private static Answer refused(Supplier<Answer> request) {
    return Stream.generate(request)
        .limit(TRIES)
        .filter(answer -> answer.status() == 429)
        .findFirst()
        .orElseThrow(() -> new AssertionError("None of some requests in a row is refused"));
  }

  private static void assertRefused(Supplier<Answer> request) {
    var answer = refused(request);

    Expect.problem(429, "rate_limited", answer);
    assertThat(answer.header("Retry-After")).hasValue("1");
    assertThat(answer.header("RateLimit").orElseThrow()).matches("\"caller\";r=0;t=(19|20)");
    assertThat(answer.header("X-Consumed-Read-Units")).as("it cost the table nothing").isEmpty();
  }

  @Test
  void answer_ofEachKind_saysWhatIsLeft() {
    Api caller = from("10.0.0.1").as("counted");

    Answer page = Expect.status(200, caller.get("/v1/feed"));
    assertThat(page.header("RateLimit-Policy")).hasValue("\"caller\";q=20;w=20");
    assertThat(page.header("RateLimit")).hasValue("\"caller\";r=19;t=1");
    for (String path : List.of("/v1/users/missing", "/v1/feed?limit=0", "/v1/nowhere")) {
      assertThat(caller.get(path).header("RateLimit").orElseThrow())
          .as(path)
          .matches("\"caller\";r=1[5-9];t=[1-5]");
    }
    assertThat(from("10.0.0.2").get("/v1/feed").header("RateLimit"))
        .as("without a token")
        .hasValue("\"caller\";r=19;t=1");
    assertThat(server.anonymous().get("/health").header("RateLimit")).isEmpty();
  }

  @Test
  void change_countsAsSeveralRequests_alsoOneThatFails() {
    Api caller = from("10.0.11.1").as(server.world().user("changer").id());
    Instant begin = Instant.now();

    Answer changed = Expect.status(201, caller.post("/v1/posts", "{\"text\":\"x\"}"));
    assertThat(changed.header("RateLimit")).hasValue("\"caller\";r=16;t=4");
    assertLeft(12, 12, begin, Expect.status(422, caller.post("/v1/posts", "{\"text\":\"\"}")));
    assertLeft(11, 11, begin, caller.get("/v1/feed"));
  }

  /** Asserts what is left, with the tokens that have come back since the first request. */
  private static void assertLeft(long least, long most, Instant begin, Answer answer) {
    long back = Duration.between(begin, Instant.now()).toSeconds();
    assertThat(answer.header("RateLimit"))
        .isIn(
            LongStream.rangeClosed(least, most + back)
                .mapToObj(left -> Optional.of("\"caller\";r=%d;t=%d".formatted(left, BURST - left)))
                .toList());
  }

  @Test
  void answer_thatConsumesMoreThanARequestCovers_countsAsMoreRequests() {
    var world = server.world();
    var reader = world.user("reader");
    var others = IntStream.range(0, 30).mapToObj(i -> world.user("other" + i)).toList();
    others.forEach(reader::follows);
    var ids = others.stream().map(SeedWorld.Person::id).collect(Collectors.joining(","));
    Instant begin = Instant.now();

    Answer answer =
        Expect.status(200, from("10.0.10.1").as(reader.id()).get("/v1/relationships?ids=" + ids));
    double units = Double.parseDouble(answer.header("X-Consumed-Read-Units").orElseThrow());

    assertThat(units).isGreaterThan(20);
    long left = (long) (BURST - units / 10);
    assertLeft(left, left + 1, begin, answer);
    assertThat(left).isLessThan(BURST - 1);
  }

  @Test
  void flood_ofAMember_isRefusedWhereverItComesFromAndOthersAreNot() {
    Api flooder = from("10.0.1.1").as("flooder");
    Api other = from("10.0.1.1").as("other");

    List<Answer> answers = flood(flooder, "/v1/feed", 3 * BURST);

    assertThat(answers.subList(0, BURST)).allMatch(answer -> answer.status() == 200);
    assertRefused(() -> flooder.get("/v1/feed"));
    assertRefused(() -> flooder.with("X-Forwarded-For", "10.9.9.9").get("/v1/users/me"));
    Expect.status(200, other.get("/v1/feed"));
  }

  @Test
  void flood_withoutAToken_isRefusedByAddress() {
    String body = "{\"user_id\":\"x\"}";
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < 2 * BURST; i++) {
      answers.add(from("10.0.2.1").post("/v1/dev/tokens", body));
    }

    assertThat(answers.subList(0, BURST)).allMatch(answer -> answer.status() == 200);
    assertRefused(() -> from("10.0.2.1").post("/v1/dev/tokens", body));
    Expect.status(200, from("10.0.2.2").post("/v1/dev/tokens", body));
  }

  /** Some proxies append to the client's own line, others add a line. */
  @Test
  void flood_thatInventsAddresses_isRefusedByTheProxysLine() {
    assertFloodIsRefused(
        number -> from("10.0.6." + number).with("X-Forwarded-For", "10.0.7.1"),
        from("10.0.7.1"),
        from("10.0.7.2"));
  }

  /** A client with one address of a 64-bit network has all of them. */
  @Test
  void flood_fromManyAddressesOfANetwork_isRefused() {
    assertFloodIsRefused(
        number -> from("2001:db8:0:1::" + number),
        from("2001:db8:0:1:ffff::"),
        from("2001:db8:0:2::1"));
  }

  /** A proxy that writes ports writes another one for each connection. */
  @Test
  void flood_overManyConnections_isRefused() {
    assertFloodIsRefused(
        number -> from("10.0.8.1:" + (4_711 + number)), from("10.0.8.1"), from("10.0.8.2:4711"));
    assertFloodIsRefused(
        number -> from("[2001:db8:0:3::1]:" + (4_711 + number)),
        from("[2001:db8:0:3::1]"),
        from("[2001:db8:0:4::1]:4711"));
  }

  private static void assertFloodIsRefused(IntFunction<Api> flooder, Api same, Api other) {
    String body = "{\"user_id\":\"x\"}";
    for (int i = 0; i < 2 * BURST; i++) {
      flooder.apply(i).post("/v1/dev/tokens", body);
    }
    assertRefused(() -> same.post("/v1/dev/tokens", body));
    Expect.status(200, other.post("/v1/dev/tokens", body));
  }

  @Test
  void flood_withInvalidTokens_isRefusedByAddressWithoutHarmToMembersThere() {
    Api member = from("10.0.3.1").as("member");
    Api guesser = from("10.0.3.1");

    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 2 * BURST; i++) {
      statuses.add(guesser.withToken("a.b." + i).get("/v1/feed").status());
    }

    assertThat(statuses.subList(0, BURST - 1)).containsOnly(401);
    assertRefused(() -> guesser.withToken("a.b.c").get("/v1/feed"));
    Expect.status(200, member.get("/v1/feed"));
  }

  @Test
  void caller_whoWaitsForRetryAfter_isAnswered() throws InterruptedException, ExecutionException {
    Api caller = from("10.0.4.1").as("patient");
    flood(caller, "/v1/users/me", 2 * BURST);
    Answer refused = refused(() -> caller.get("/v1/users/me"));
    long wait = Long.parseLong(refused.header("Retry-After").orElseThrow());

    try (var timer = Executors.newSingleThreadScheduledExecutor()) {
      Future<Answer> later =
          timer.schedule(() -> caller.get("/v1/users/me"), wait, TimeUnit.SECONDS);
      Expect.problem(409, "not_registered", later.get());
    }
  }

  @Test
  void flood_ofOne_leavesTheOthersTheirSpeed() throws InterruptedException, ExecutionException {
    Api flooder = from("10.0.5.1").as("loud");
    List<Api> quiet = new ArrayList<>();
    for (int i = 0; i < BURST; i++) {
      quiet.add(from("10.0.5." + (2 + i)).as("quiet" + i));
    }
    ConcurrentLinkedQueue<Integer> loud = new ConcurrentLinkedQueue<>();
    Duration longest = Duration.ZERO;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> floods = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        floods.add(
            threads.submit(
                () -> flood(flooder, "/v1/feed", 100).forEach(a -> loud.add(a.status()))));
      }
      for (Api one : quiet) {
        Instant start = Instant.now();
        Expect.status(200, one.get("/v1/feed"));
        Duration took = Duration.between(start, Instant.now());
        longest = took.compareTo(longest) > 0 ? took : longest;
      }
      for (Future<?> flood : floods) {
        flood.get();
      }
    }
    assertThat(loud).hasSize(800).containsOnly(200, 429);
    assertThat(loud.stream().filter(status -> status == 200).count()).isLessThan(BURST + 60L);
    assertThat(longest).isLessThan(SLOW);
  }
}
