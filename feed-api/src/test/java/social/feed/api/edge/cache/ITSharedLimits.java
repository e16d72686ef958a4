package social.feed.api.edge.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.Paged;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld.Person;

/** Two servers that limit callers and authors together, and what they do without the cache. */
@LongRunning
class ITSharedLimits {
  private static final int BURST = 60;
  private static final int THREADS = 8;
  private static final int POSTS = 20;
  private static final String PAGE = "/v1/tags/hot/posts?limit=" + POSTS;

  /** So short that callers ask the cache for hot items all the time, also when it is killed. */
  private static final Duration CACHED = Duration.ofMillis(10);

  private static final int KILLS = 3;

  /** Far above a delay that one wait for the cache explains, also on a busy machine. */
  private static final Duration SLOW = Duration.ofSeconds(10);

  private final Logger logger = (Logger) LoggerFactory.getLogger(RedisCache.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final RedisServer redis = new RedisServer();
  private final List<FeedServer> servers = new ArrayList<>();

  /** A response with the time that it took, and when it was asked for. */
  private record Timed(Answer answer, long begin, Duration time) {}

  @BeforeEach
  void log() {
    lines.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
    logger.setLevel(null);
    servers.reversed().stream().limit(servers.size() - 1L).forEach(FeedServer::stop);
    servers.getFirst().close();
    redis.close();
  }

  private void start(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.putIfAbsent("feed.cache.timeout", "5s");
    servers.add(FeedServer.start(settings));
    servers.add(servers.getFirst().another(settings));
  }

  private Map<String, Object> limited() {
    return Map.of(
        "feed.cache.url",
        redis.url(),
        "feed.limits.rate.per-second",
        1,
        "feed.limits.rate.burst",
        BURST);
  }

  @Test
  void rate_ofACallerAtTwoServers_isThatOfOne() {
    start(limited());

    assertLimitIsShared();

    assertThat(redis.keys()).allMatch(key -> key.matches("feed:[a-z]+:[\\w-]{20}"));
    assertThat(warnings()).isEmpty();
  }

  /** The same check finds servers that do not share their limits. */
  @Test
  void rate_atTwoServersWithoutACache_isFoundToBeTwice() {
    start(Map.of("feed.limits.rate.per-second", 1, "feed.limits.rate.burst", BURST));

    assertThatExceptionOfType(AssertionError.class).isThrownBy(this::assertLimitIsShared);
  }

  private void assertLimitIsShared() {
    String token = servers.getFirst().anonymous().tokenOf("flooder");
    List<Api> callers = servers.stream().map(s -> s.anonymous().withToken(token)).toList();
    long start = System.nanoTime();

    var answers = concurrently(3 * BURST, i -> callers.get(i % 2).get("/v1/feed"));

    long refilled = Duration.ofNanos(System.nanoTime() - start).toSeconds() + 1;
    long admitted = answers.stream().filter(answer -> answer.status() == 200).count();
    assertThat(admitted).isBetween((long) BURST, BURST + refilled);
    answers.stream()
        .filter(answer -> answer.status() != 200)
        .forEach(
            refused -> {
              Expect.problem(429, "rate_limited", refused);
              assertThat(refused.header("Retry-After")).hasValue("1");
            });
  }

  @Test
  void deliveries_ofAnAuthorAtTwoServers_areLimitedAsAtOne() {
    start(
        Map.of(
            "feed.cache.url",
            redis.url(),
            "feed.limits.deliveries.units-per-second",
            1,
            "feed.limits.deliveries.burst",
            10_000,
            "feed.limits.deliveries.units-per-post",
            5_000));
    var author = servers.getFirst().world().user("author");
    var callers = servers.stream().map(server -> server.as(author)).toList();

    List<Integer> answers =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    callers
                        .get(i % 2)
                        .post("/v1/posts", "{\"text\":\"a\",\"visibility\":\"public\"}")
                        .status())
            .toList();

    assertThat(answers).containsExactly(201, 201, 429, 429);
  }

  /** Each page reads twenty hot posts and their author, and one of the posts becomes private. */
  @Test
  void cacheThatIsKilledAndRestartedUnderLoad_refusesNothingAndDelaysLittle() throws Exception {
    start(
        Map.of(
            "feed.cache.url",
            redis.url(),
            // Longer than a call takes on a busy machine, which would count as another loss.
            "feed.cache.timeout",
            "8s",
            "feed.hot.cached",
            CACHED));
    Person author = servers.getFirst().world().user("author");
    List<String> posts = tagged(author);
    String hidden = posts.getFirst();
    List<Api> callers =
        IntStream.range(0, THREADS).mapToObj(i -> servers.get(i % 2).as("reader" + i)).toList();
    callers.forEach(caller -> assertThat(found(timed(caller, PAGE))).containsAll(posts));
    var isOver = new AtomicBoolean();
    List<Timed> answers = new ArrayList<>();
    long gone;
    try (var pool = Executors.newFixedThreadPool(THREADS)) {
      var loads =
          callers.stream()
              .map(
                  caller ->
                      pool.submit(
                          () -> {
                            List<Timed> own = new ArrayList<>();
                            while (!isOver.get()) {
                              own.add(timed(caller, PAGE));
                            }
                            return own;
                          }))
              .toList();
      try {
        Polling.until(this::hasHotItems);
        Expect.status(
            200,
            servers
                .getFirst()
                .as(author)
                .patch("/v1/posts/" + hidden, "{\"visibility\":\"private\"}"));
        gone = System.nanoTime() + CACHED.toNanos();
        for (int i = 0; i < KILLS; i++) {
          killAndRestart();
        }
      } finally {
        isOver.set(true);
      }
      for (var load : loads) {
        answers.addAll(load.get());
      }
    }
    callers.forEach(caller -> answers.add(timed(caller, PAGE)));

    assertThat(answers).extracting(timed -> timed.answer().status()).containsOnly(200);
    var others = posts.subList(1, posts.size());
    assertThat(answers).allMatch(page -> found(page).containsAll(others));
    assertThat(answers)
        .filteredOn(page -> page.begin() > gone)
        .hasSizeGreaterThan(THREADS)
        .noneMatch(page -> found(page).contains(hidden));
    assertThat(answers).extracting(Timed::time).allMatch(time -> time.compareTo(SLOW) < 0);
    // Each server says each time once that the cache is lost and answers again.
    assertThat(warnings()).hasSize(2 * KILLS);
    assertThat(lines.list).filteredOn(line -> line.getLevel() == Level.INFO).hasSize(2 + 2 * KILLS);
    assertThat(metrics())
        .contains("feed_cache_available 1.0", "feed_cache_losses_total " + KILLS + ".0");
  }

  /** Calls of all kinds wait for the paused server when it is killed. */
  private void killAndRestart() {
    redis.pause();
    redis.kill();
    Polling.until(() -> servers.stream().noneMatch(ITSharedLimits::isAvailable));
    redis.restart();
    Polling.until(() -> servers.stream().allMatch(ITSharedLimits::isAvailable));
    Polling.until(this::hasHotItems);
  }

  private boolean hasHotItems() {
    return redis.keys().stream().anyMatch(key -> key.startsWith("feed:post:"));
  }

  /** Writes posts with a tag that no stream takes away again, and returns their ids. */
  private List<String> tagged(Person author) {
    List<Post> posts = Stream.generate(() -> author.posts("#hot")).limit(POSTS).toList();
    servers
        .getFirst()
        .table()
        .table()
        .putAll(posts.stream().map(post -> PostTag.of(post, "hot")).toList());
    return posts.stream().map(Post::postId).toList();
  }

  private static List<String> found(Timed page) {
    return Paged.ids(Expect.status(200, page.answer()));
  }

  @Test
  void cacheThatHangs_delaysOneRequestByTheTimeout() {
    var timeout = Duration.ofSeconds(3);
    start(Map.of("feed.cache.url", redis.url(), "feed.cache.timeout", timeout));
    Api caller = servers.getFirst().as("reader");
    redis.pause();
    try {
      var first = timed(caller);
      assertThat(first.time()).isBetween(timeout, timeout.plus(SLOW));
      Expect.status(200, first.answer());
      for (int i = 0; i < 20; i++) {
        var next = timed(caller);
        Expect.status(200, next.answer());
        assertThat(next.time()).isLessThan(timeout);
      }
      assertThat(metrics()).contains("feed_cache_available 0.0");
    } finally {
      redis.resume();
    }
    Polling.until(() -> isAvailable(servers.getFirst()));
  }

  /** Lost again and again, also while they connect. */
  @Test
  void serversThatLoseTheCache_haveOneConnectionEachAfterwards() {
    start(Map.of("feed.cache.url", redis.url()));
    for (int i = 0; i < 5; i++) {
      redis.closeConnections();
      Polling.until(() -> redis.clients("feed-api") > 0);
    }
    redis.closeConnections();

    // A server that has not noticed the loss yet still says that the cache is available.
    Polling.until(() -> redis.clients("feed-api") >= servers.size());
    Polling.until(() -> servers.stream().allMatch(ITSharedLimits::isAvailable));
    assertThat(redis.clients("feed-api")).isEqualTo(servers.size());
    // The same look finds one more.
    servers.add(servers.getFirst().another(Map.of("feed.cache.url", redis.url())));
    assertThat(redis.clients("feed-api")).isEqualTo(servers.size());
  }

  @Test
  void cacheThatIsFull_isLeftUntilItHasRoom() {
    start(Map.of("feed.cache.url", redis.url()));
    Api caller = servers.getFirst().as("reader");
    redis.set("maxmemory", "1");

    Expect.status(200, caller.get("/v1/feed"));

    assertThat(isAvailable(servers.getFirst())).isFalse();
    assertThat(warnings()).singleElement().asString().contains("OOM");
    redis.set("maxmemory", "0");
    Polling.until(() -> isAvailable(servers.getFirst()));
  }

  @Test
  void cacheThatRefusesThePassword_isLeftAndItsPasswordIsNotLogged() {
    redis.set("requirepass", "right");

    start(Map.of("feed.cache.url", redis.url().replace("://", "://:wrong-password@")));

    Expect.status(200, servers.getFirst().as("reader").get("/v1/feed"));
    assertThat(warnings())
        .hasSize(2)
        .allMatch(
            line -> line.contains("WRONGPASS") || line.endsWith("check password, user and TLS"));
    assertThat(lines.list).noneMatch(line -> line.getFormattedMessage().contains("wrong-password"));
  }

  @Test
  void cacheThatIsNotThere_delaysTheStartOnly() {
    redis.kill();

    start(Map.of("feed.cache.url", redis.url()));

    assertThat(timed(servers.getFirst().as("reader")).time()).isLessThan(SLOW);
    assertThat(warnings()).hasSize(2);
    redis.restart();
    Polling.until(() -> servers.stream().allMatch(ITSharedLimits::isAvailable));
  }

  @Test
  void callerWhoIsRefused_staysRefusedWithoutTheCache() {
    start(limited());
    Api flooder = servers.getFirst().as("flooder");
    concurrently(2 * BURST, _ -> flooder.get("/v1/feed"));

    redis.kill();

    var answers = concurrently(BURST, _ -> flooder.get("/v1/feed"));
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSizeLessThan(BURST / 2);
  }

  private static Timed timed(Api caller) {
    return timed(caller, "/v1/feed");
  }

  private static Timed timed(Api caller, String path) {
    long begin = System.nanoTime();
    var answer = caller.get(path);
    return new Timed(answer, begin, Duration.ofNanos(System.nanoTime() - begin));
  }

  private static List<Answer> concurrently(int times, IntFunction<Answer> request) {
    try (var pool = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Answer>> requests = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        int number = i;
        requests.add(() -> request.apply(number));
      }
      List<Answer> answers = new ArrayList<>();
      for (var answer : pool.invokeAll(requests)) {
        answers.add(answer.get());
      }
      return answers;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isAvailable(FeedServer server) {
    return server.bean(SharedCache.class).isAvailable();
  }

  private String metrics() {
    return servers.getFirst().anonymous().get("/metrics").text();
  }

  private List<String> warnings() {
    return lines.list.stream()
        .filter(line -> line.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }
}
