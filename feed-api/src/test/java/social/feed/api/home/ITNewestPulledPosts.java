package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.user.CacheConfiguration;
import social.feed.table.cost.CostFormulas;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.TestTable;

/** Pages of many followers share the read of a celebrity's newest posts. */
@ExtendWith(EngineExtension.class)
class ITNewestPulledPosts {
  private static final Instant TIME = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration CACHED = Duration.ofSeconds(1);

  /** A query that finds nothing costs as much as one for 4 KB. */
  private static final double QUERY = 0.5;

  private final TestTable table;
  private final SteppingClock clock = new SteppingClock(TIME.plus(Duration.ofHours(1)));
  private final HomeFeeds unshared;
  private final HomeFeeds feeds;
  private final String star = UUID.randomUUID().toString();
  private final PulledAuthor pulled = PulledAuthor.from(star, Instant.EPOCH);

  ITNewestPulledPosts(TestTable table) {
    this.table = table;
    this.unshared = new HomeFeeds(table.table());
    this.feeds = feeds(CACHED);
  }

  private HomeFeeds feeds(Duration cached) {
    var shared = new NewestPulledPosts(new CacheConfiguration(cached, 100), clock);
    return new HomeFeeds(table.table(), (_, read) -> read.get(), shared);
  }

  private List<Post> starPosts(int count) {
    var posts =
        IntStream.range(0, count)
            .mapToObj(i -> SamplePosts.of(star, TIME.plusSeconds(2L * i), FanOutMode.PULL))
            .toList();
    table.table().putAll(posts);
    return posts;
  }

  private FeedView readerOf(PulledAuthor... authors) {
    return new FeedView(UUID.randomUUID().toString(), List.of(authors), Instant.EPOCH);
  }

  private FeedView reader() {
    return readerOf(pulled);
  }

  private double units(HomeFeeds from, FeedView view, PageRequest request) {
    try (var _ = table.bill()) {
      return TestTable.costOf(() -> from.of(view, request)).read();
    }
  }

  private static List<FeedRef> all(HomeFeeds from, FeedView view, int limit) {
    return Page.all(limit, from.of(view)).flatMap(page -> page.items().stream()).toList();
  }

  @Test
  void newestPosts_areReadOnce_forThePagesOfAllFollowers() {
    starPosts(3);

    assertThat(units(feeds, reader(), PageRequest.first(50))).isEqualTo(QUERY + QUERY);
    assertThat(units(feeds, reader(), PageRequest.first(50))).as("another").isEqualTo(QUERY);
    assertThat(units(feeds, reader(), PageRequest.first(1))).as("a smaller page").isEqualTo(QUERY);
  }

  /** As many posts are read as the page has. The plan counts a unit for twenty. */
  @Test
  void posts_costWhatAPageOfTheirNumberCosts() {
    starPosts(51);

    assertThat(units(feeds, reader(), PageRequest.first(1))).isEqualTo(QUERY + QUERY);
    assertThat(units(feeds, reader(), PageRequest.first(10))).as("known").isEqualTo(QUERY);
    assertThat(units(feeds, reader(), PageRequest.first(20)))
        .isEqualTo(QUERY + CostFormulas.pulledAuthors(1).read());
    assertThat(units(feeds, reader(), PageRequest.first(50))).isEqualTo(QUERY + 2);
    assertThat(units(feeds, reader(), PageRequest.first(20))).as("known").isEqualTo(QUERY);
  }

  /** Otherwise a request would read all lists of its page again for the rest. */
  @ParameterizedTest
  @ValueSource(ints = {10, 20, 50})
  void firstPage_isFull_withManyPostsOfSeveralCelebrities(int limit) {
    starPosts(60);
    var other = PulledAuthor.from(UUID.randomUUID().toString(), Instant.EPOCH);
    table
        .table()
        .putAll(
            IntStream.range(0, 60)
                .mapToObj(
                    i ->
                        SamplePosts.of(other.authorId(), TIME.plusSeconds(60 + i), FanOutMode.PULL))
                .toList());
    var view = readerOf(pulled, other);

    for (int i = 0; i < 2; i++) {
      var page = feeds.of(view, PageRequest.first(limit));
      assertThat(page.items()).hasSize(limit);
      assertThat(feeds.of(view, new PageRequest(limit, page.next())).items()).hasSize(limit);
    }
    assertThat(all(feeds, view, limit)).isEqualTo(all(unshared, view, limit));
  }

  @Test
  void page_isAsOldAsWhatIsCached() {
    starPosts(1);
    assertThat(feeds.of(reader(), PageRequest.first(50)).items()).hasSize(1);
    var late = SamplePosts.of(star, TIME.plusSeconds(30), FanOutMode.PULL);
    table.table().putAll(List.of(late));

    assertThat(feeds.of(reader(), PageRequest.first(50)).items()).hasSize(1);
    clock.advance(CACHED);
    assertThat(feeds.of(reader(), PageRequest.first(50)).items())
        .extracting(FeedRef::postId)
        .hasSize(2)
        .contains(late.postId());
  }

  /** A read begins the second, however long it takes. */
  @Test
  void page_thatTookLongToRead_isNotUsedForLonger() {
    var shared = new NewestPulledPosts(new CacheConfiguration(CACHED, 100), clock);
    var reads = new AtomicInteger();
    Function<PageRequest, Page<FeedRef>> slow =
        request -> {
          reads.incrementAndGet();
          clock.advance(CACHED);
          return unshared.pulled(pulled, request);
        };

    shared.page(pulled, PageRequest.first(50), slow);
    shared.page(pulled, PageRequest.first(50), slow);

    assertThat(reads).hasValue(2);
  }

  /** With more posts than are shared, and entries of a pushed author between them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 9, 10, 11, 50})
  void pages_haveEachPostOnce_inTheSameOrder(int limit) {
    starPosts(27);
    var view = reader();
    var entries =
        IntStream.range(0, 27)
            .mapToObj(i -> SamplePosts.of("pushed", TIME.plusSeconds(2L * i + 1), FanOutMode.PUSH))
            .map(post -> FeedEntry.of(post.ref(), view.readerId()))
            .toList();
    unshared.deliver(entries);

    assertThat(all(feeds, view, limit)).hasSize(54).isEqualTo(all(unshared, view, limit));
  }

  /** Also of an author who is no celebrity any more, whose newest posts are pushed. */
  @Test
  void period_limitsWhatIsShared() {
    var posts = starPosts(9);
    var period = new PulledAuthor(star, TIME.plusSeconds(4), TIME.plusSeconds(8), 1, 1, 1);
    var expected = posts.subList(2, 5).reversed().stream().map(Post::postId).toList();

    for (int i = 0; i < 2; i++) {
      assertThat(all(feeds, readerOf(period), 2)).extracting(FeedRef::postId).isEqualTo(expected);
    }
    assertThat(all(feeds, reader(), 4)).as("of the whole time").hasSize(9);
  }

  /** The row of an author changes more often than its period does. */
  @Test
  void authorWhoseRowChanged_isNotReadAgain() {
    starPosts(3);
    feeds.of(reader(), PageRequest.first(50));
    var changed = new PulledAuthor(star, Instant.EPOCH, null, 7, 7, 7);

    assertThat(units(feeds, readerOf(changed), PageRequest.first(50))).isEqualTo(QUERY);
  }

  @Test
  void olderPage_readsTheTable_andNothingThatItDoesNotNeed() {
    starPosts(30);
    var first = feeds.of(reader(), PageRequest.first(10));
    var older = new PageRequest(10, first.next());

    assertThat(units(feeds, reader(), older)).isEqualTo(QUERY + QUERY);
    clock.advance(CACHED);
    assertThat(units(feeds, reader(), older)).as("nothing is cached").isEqualTo(QUERY + QUERY);
  }

  @Test
  void withoutCaching_eachPageReadsTheTable() {
    starPosts(1);
    var never = feeds(Duration.ZERO);

    assertThat(units(never, reader(), PageRequest.first(50))).isEqualTo(QUERY + QUERY);
    assertThat(units(never, reader(), PageRequest.first(50))).isEqualTo(QUERY + QUERY);
  }

  /** The time of a request counts, however long it waits. */
  @Test
  void requestsThatWaitForASlowRead_shareIt() throws Exception {
    starPosts(1);
    var shared = new NewestPulledPosts(new CacheConfiguration(CACHED, 100), clock);
    var reads = new AtomicInteger();
    var isReading = new CountDownLatch(1);
    var mayEnd = new CountDownLatch(1);
    Function<PageRequest, Page<FeedRef>> slow =
        request -> {
          reads.incrementAndGet();
          isReading.countDown();
          awaited(mayEnd);
          return unshared.pulled(pulled, request);
        };
    try (var requests = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = requests.submit(() -> shared.page(pulled, PageRequest.first(50), slow));
      awaited(isReading);
      var second = new FutureTask<>(() -> shared.page(pulled, PageRequest.first(50), slow));
      var waiting = Thread.ofPlatform().start(second);
      awaitWaiting(waiting);
      clock.advance(CACHED.multipliedBy(10));
      mayEnd.countDown();

      assertThat(first.get().items()).hasSize(1);
      assertThat(second.get().items()).hasSize(1);
    }
    assertThat(reads).hasValue(1);
  }

  /** The failure may be that of one request, which was cut off. */
  @Test
  void requestsThatWaitForAReadThatFails_readByThemselves() throws Exception {
    starPosts(1);
    var shared = new NewestPulledPosts(new CacheConfiguration(CACHED, 100), clock);
    var isReading = new CountDownLatch(1);
    var mayFail = new CountDownLatch(1);
    Function<PageRequest, Page<FeedRef>> failing =
        _ -> {
          isReading.countDown();
          awaited(mayFail);
          throw new IllegalStateException("refused");
        };
    Function<PageRequest, Page<FeedRef>> stored = request -> unshared.pulled(pulled, request);
    try (var requests = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = requests.submit(() -> shared.page(pulled, PageRequest.first(50), failing));
      awaited(isReading);
      var second = new FutureTask<>(() -> shared.page(pulled, PageRequest.first(50), stored));
      awaitWaiting(Thread.ofPlatform().start(second));
      mayFail.countDown();

      assertThat(second.get().items()).hasSize(1);
      assertThatThrownBy(first::get).rootCause().hasMessage("refused");
    }
    assertThat(shared.page(pulled, PageRequest.first(50), stored).items()).hasSize(1);
  }

  private static void awaited(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  /** Such as one that is synchronized after a long time. */
  @Test
  void clockThatIsSetBack_keepsNoOldPosts() {
    starPosts(1);
    var time = new AtomicReference<>(TIME);
    var shared = new NewestPulledPosts(new CacheConfiguration(CACHED, 100), time::get);
    Function<PageRequest, Page<FeedRef>> stored = request -> unshared.pulled(pulled, request);
    shared.page(pulled, PageRequest.first(50), stored);
    table.table().putAll(List.of(SamplePosts.of(star, TIME.plusSeconds(30), FanOutMode.PULL)));

    time.set(TIME.minus(Duration.ofHours(1)));

    assertThat(shared.page(pulled, PageRequest.first(50), stored).items()).hasSize(2);
  }

  @Test
  void requestsAtTheSameTime_shareOneRead() throws Exception {
    starPosts(1);
    var shared = new NewestPulledPosts(new CacheConfiguration(Duration.ofHours(1), 100), clock);
    var reads = new AtomicInteger();
    var together = new CountDownLatch(8);
    Function<PageRequest, Page<FeedRef>> stored =
        request -> {
          reads.incrementAndGet();
          return unshared.pulled(pulled, request);
        };
    try (var requests = Executors.newVirtualThreadPerTaskExecutor()) {
      var pages =
          IntStream.range(0, 8)
              .mapToObj(
                  _ ->
                      requests.submit(
                          () -> {
                            together.countDown();
                            assertThat(together.await(60, TimeUnit.SECONDS)).isTrue();
                            return shared.page(pulled, PageRequest.first(50), stored);
                          }))
              .toList();
      for (var page : pages) {
        assertThat(page.get().items()).hasSize(1);
      }
    }
    assertThat(reads).hasValue(1);
  }

  /** Who unfollowed and kept the posts reads those until then, and the followers all. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readersOfOtherEnds_shareNoRead(boolean isKeeperFirst) {
    var posts = starPosts(9);
    var keeper = readerOf(new PulledAuthor(star, Instant.EPOCH, TIME.plusSeconds(8), 1, 1, 1));
    var kept = posts.subList(0, 5).reversed().stream().map(Post::postId).toList();
    var whole = posts.reversed().stream().map(Post::postId).toList();
    if (isKeeperFirst) {
      assertThat(all(feeds, keeper, 4)).extracting(FeedRef::postId).isEqualTo(kept);
    }
    assertThat(all(feeds, reader(), 4)).extracting(FeedRef::postId).isEqualTo(whole);
    assertThat(all(feeds, keeper, 4)).extracting(FeedRef::postId).isEqualTo(kept);
  }
}
