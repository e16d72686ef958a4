package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import social.feed.api.home.NewestPulledPosts;
import social.feed.api.http.FeedServer;
import social.feed.api.user.CacheConfiguration;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Keys;
import social.feed.table.row.PulledAuthor;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** What a stream costs whose reader follows many celebrities. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITLiveCelebrities {
  private static final int STARS = 300;
  private static final Map<String, Object> SLOW =
      Map.of("feed.live.poll", "1m", "feed.live.idle-poll", "1m");

  private FeedServer server;

  @BeforeAll
  void start() {
    server = FeedServer.start(SLOW);
    // Each reader has an entry that is older than what a stream reads.
    var post = server.world().user("someone").posts("first");
    server
        .world()
        .feeds
        .deliver(List.of(FeedEntry.of(post.ref(), "cost"), FeedEntry.of(post.ref(), "another")));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static FeedView view(String reader) {
    return new FeedView(
        reader,
        IntStream.range(0, STARS)
            .mapToObj(i -> PulledAuthor.from("star-%s-%s".formatted(reader, i), Instant.EPOCH))
            .toList(),
        Instant.EPOCH);
  }

  private static EventCursor floor() {
    return EventCursor.at(Instant.now().minusSeconds(60));
  }

  /** Also those of a client that comes back, as each poll of a function's client is. */
  @Test
  void celebrities_areReadOnceInAPollInterval_forAllStreams() {
    var sources = server.bean(LiveSources.class);
    var view = view("cost");
    try (var _ = server.table().bill()) {
      assertThat(TestTable.costOf(() -> sources.skeleton(floor(), view)).read())
          .isEqualTo(1 + STARS * 0.5);
      assertThat(TestTable.costOf(() -> sources.skeleton(floor(), view)).read()).isEqualTo(1);
      var other = new FeedView("another", view.pulled(), Instant.EPOCH);
      assertThat(TestTable.costOf(() -> sources.skeleton(floor(), other)).read()).isEqualTo(1);
    }
  }

  /**
   * A client opens the stream and then reads its page, perhaps from a process that has not read the
   * post of a moment ago. Then the stream must send it.
   */
  @Test
  void lastPostOfACelebrity_isNotTakenForOneThatAPageShows() {
    var star = PulledAuthor.from("late-star", Instant.EPOCH);
    var now = Timestamps.now(Clock.systemUTC());
    var old = SamplePosts.of(star.authorId(), now.minus(Duration.ofSeconds(90)), FanOutMode.PULL);
    var last = SamplePosts.of(star.authorId(), now, FanOutMode.PULL);
    // Another server may have written it with a clock that is behind, after the page was read.
    var skewed =
        SamplePosts.of(star.authorId(), now.minus(Duration.ofSeconds(30)), FanOutMode.PULL);
    List.of(old, skewed, last).forEach(server.world().posts::create);
    var floor = EventCursor.at(now.minus(Duration.ofMinutes(2)));
    var view = new FeedView("reader-of-late-star", List.of(star), Instant.EPOCH);
    var sharing = server.another(Map.of("feed.hot.cached", "1s"));

    assertThat(posts(server.bean(LiveSources.class).onPages(floor, view)))
        .as("pages share nothing")
        .containsExactlyInAnyOrder(old.postId(), skewed.postId(), last.postId());
    assertThat(posts(sharing.bean(LiveSources.class).onPages(floor, view)))
        .containsExactly(old.postId());
    assertThat(posts(sharing.bean(LiveSources.class).skeleton(floor, view)))
        .as("what a poll sends")
        .containsExactlyInAnyOrder(old.postId(), skewed.postId(), last.postId());
    sharing.stop();
  }

  private static List<String> posts(LiveSources.Stored stored) {
    return stored.posts().stream().map(slot -> slot.item().postId()).toList();
  }

  /** Each of the first queries of a celebrity waits until eight are under way. */
  @Test
  void celebrities_areReadAtTheSameTime() {
    var together = new Together();
    var other = server.another(SLOW, together);

    other.bean(LiveSources.class).skeleton(floor(), view("together"));

    other.stop();
    assertThat(together.eight.getCount()).isZero();
  }

  /** A function is frozen between two polls, and what it has in memory is old then. */
  @Test
  void postsThatWereRead_areReadAgain_onceTheClockSaysSo() {
    var time = new SteppingClock(Instant.now());
    var celebrities =
        new CelebrityPosts(
            server.bean(HomeFeeds.class),
            new NewestPulledPosts(server.bean(CacheConfiguration.class), time),
            server.bean(LiveConfiguration.class));
    var star = PulledAuthor.from("frozen-star", Instant.EPOCH);
    var since = Keys.at(Instant.EPOCH);
    assertThat(celebrities.from(List.of(star), since, 1)).isEmpty();
    var post = SamplePosts.of(star.authorId(), Timestamps.now(server.clock()), FanOutMode.PULL);
    server.world().posts.create(post);

    time.advance(Duration.ofSeconds(59));
    assertThat(celebrities.from(List.of(star), since, 1)).as("as stale as one poll").isEmpty();
    time.advance(Duration.ofSeconds(2));
    assertThat(celebrities.from(List.of(star), since, 1))
        .extracting(slot -> slot.item().postId())
        .isEqualTo(List.of(post.postId()));
  }

  private static final class Together implements Wire {
    private final CountDownLatch eight = new CountDownLatch(8);

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (request instanceof QueryRequest query
          && query.expressionAttributeValues().values().stream()
              .anyMatch(value -> value.s() != null && value.s().contains("star-together"))) {
        eight.countDown();
        try {
          assertThat(eight.await(60, TimeUnit.SECONDS)).as("seven other queries").isTrue();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return table.apply(request);
    }
  }
}
