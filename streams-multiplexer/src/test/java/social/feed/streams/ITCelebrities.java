package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.streams.celebrity.CelebrityFlagChanged;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.FlipHandler.Flip;
import social.feed.streams.plan.Lane;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.home.FeedView;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.testkit.SeedWorld.Person;

/**
 * Authors above the threshold of ten followers: the flag, the registry, and reads of their posts.
 */
class ITCelebrities {
  private static final int OFF_BELOW = StreamHarness.CELEBRITY * 9 / 10;

  private StreamHarness harness;
  private PullRegistry registry;
  private Person star;
  private List<Person> fans;

  @BeforeEach
  void start() {
    harness = StreamHarness.startWithCelebrities();
    registry = new PullRegistry(harness.table.table());
    star = harness.world.user("star");
    fans =
        IntStream.range(0, StreamHarness.CELEBRITY + 2)
            .mapToObj(i -> harness.world.user("fan" + i))
            .toList();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void crossing_setsTheFlagAndIsPublishedOnce() {
    follow(0, StreamHarness.CELEBRITY - 1);
    assertThat(star.account().isCelebrity()).isFalse();
    assertThat(registry.authors()).isEmpty();

    follow(StreamHarness.CELEBRITY - 1, fans.size());

    assertThat(star.account().isCelebrity()).isTrue();
    assertThat(registry.get(star.id()).orElseThrow().pullUntil()).isNull();
    assertThat(flips()).containsExactly("true 1");
    replay();
    assertThat(flips()).containsExactly("true 1");
    assertThat(star.account().celebrityVersion()).isEqualTo(1);
  }

  @Test
  void crossing_whoseEventIsNotSent_isPublishedByTheRetry() {
    harness.pause();
    var isBroken = new AtomicBoolean(true);
    var handlers =
        new EffectHandlers(
            harness.ofMultiplexer,
            harness.table.clock(),
            EffectSettings.of(
                    StreamHarness.NEWEST, BatchSizes.STANDARD, ErasureSweeps.Settings.unpaced())
                .withEvents(
                    event -> {
                      if (isBroken.get()) {
                        throw new IllegalStateException("The queue is away");
                      }
                      harness.events.add(event);
                    }));
    var flip = List.<Effect>of(new Flip(star.id(), true, StreamHarness.CELEBRITY, 1));
    assertThatThrownBy(() -> handlers.apply(flip)).hasMessage("The queue is away");

    isBroken.set(false);
    handlers.apply(flip);
    handlers.apply(flip);

    assertThat(flips()).containsExactly("true 1");
  }

  @Test
  void flag_isClearedWellBelowTheThresholdOnly() {
    follow(0, StreamHarness.CELEBRITY);
    unfollow(OFF_BELOW, StreamHarness.CELEBRITY);
    assertThat(star.account().followersCount()).isEqualTo(OFF_BELOW);
    assertThat(star.account().isCelebrity()).isTrue();

    unfollow(OFF_BELOW - 1, OFF_BELOW);

    assertThat(star.account().isCelebrity()).isFalse();
    assertThat(registry.get(star.id()).orElseThrow().pullUntil()).isNotNull();
    assertThat(flips()).containsExactly("true 1", "false 2");
    follow(OFF_BELOW - 1, OFF_BELOW);
    assertThat(star.account().isCelebrity()).as("on at the threshold again only").isFalse();
    replay();
    assertThat(flips()).containsExactly("true 1", "false 2");
  }

  @Test
  void crossing_inOneBatchOfManyFollows_isDetected() {
    harness.pause();
    fans.forEach(fan -> fan.follows(star));
    harness.resume();
    harness.drain();

    assertThat(star.account().isCelebrity()).isTrue();
    assertThat(flips()).containsExactly("true 1");
  }

  @Test
  void postOfACelebrity_isWrittenIntoTheAuthorsFeedOnly() {
    follow(0, StreamHarness.CELEBRITY);
    var post = star.posts("from above");
    harness.drain();

    assertThat(post.delivery()).isEqualTo(FanOutMode.PULL);
    assertThat(ids(harness.world.feeds.stored(star.id(), PageRequest.first(9)).items()))
        .containsExactly(post.postId());
    assertThat(harness.world.feeds.stored(fans.getFirst().id(), PageRequest.first(9)).items())
        .isEmpty();
    assertThat(feed(fans.getFirst(), 9)).containsExactly(post.postId());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 50})
  void repeatedFlips_neitherLoseNorDuplicateAPost(int pageSize) {
    var reader = fans.getFirst();
    var other = harness.world.user("other");
    reader.follows(other);
    follow(0, OFF_BELOW - 1);
    var expected = new ArrayList<String>();
    for (int round = 0; round < 3; round++) {
      expected.addFirst(post(star).postId());
      follow(OFF_BELOW - 1, StreamHarness.CELEBRITY);
      for (int i = 0; i < 4; i++) {
        expected.addFirst(post(star).postId());
        expected.addFirst(post(other).postId());
      }
      unfollow(OFF_BELOW - 1, StreamHarness.CELEBRITY);
    }
    expected.addFirst(post(star).postId());
    harness.drain();

    assertThat(flips()).hasSize(6);
    assertThat(feed(reader, pageSize)).isEqualTo(expected);
    replay();
    assertThat(feed(reader, pageSize)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 50})
  void authorWhoLeftTheRegistry_isReadBelowTheStoredFeed(int pageSize) {
    var reader = fans.getFirst();
    follow(0, StreamHarness.CELEBRITY);
    var expected = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      expected.addFirst(post(star).postId());
    }
    unfollow(OFF_BELOW - 1, StreamHarness.CELEBRITY);
    expected.addFirst(post(star).postId());
    harness.drain();
    var ended = registry.get(star.id()).orElseThrow();

    harness.table.clock().advance(Duration.ofDays(92));
    assertThat(ended.expiresAt())
        .isLessThanOrEqualTo(harness.table.clock().instant().getEpochSecond());
    assertThat(feed(reader, pageSize)).as("not removed yet").isEqualTo(expected);
    harness.table.table().deleteAll(List.of(ended.key()));
    assertThat(feed(reader, pageSize)).isEqualTo(expected);

    follow(OFF_BELOW - 1, StreamHarness.CELEBRITY);
    expected.addFirst(post(star).postId());
    harness.drain();

    assertThat(registry.get(star.id()).orElseThrow().expiresAt()).isNull();
    assertThat(feed(reader, pageSize)).as("two periods").isEqualTo(expected);
  }

  @Test
  void postWrittenUnderAFlagThatIsNotInTheRegistryYet_isFound() {
    harness.pause();
    fans.forEach(fan -> fan.follows(star));
    harness.resume();
    harness.drain();
    harness.pause();
    unfollow(0, fans.size() - 2);
    harness.table.clock().advance(Duration.ofHours(1));
    var late = star.posts("the server had read the flag before");
    harness.resume();
    harness.drain();

    assertThat(star.account().isCelebrity()).isFalse();
    assertThat(late.delivery()).isEqualTo(FanOutMode.PULL);
    assertThat(feed(fans.getLast(), 5)).containsExactly(late.postId());
  }

  @Test
  void unfollow_ofACelebrity_hidesPosts_unlessHistoryIsKept() {
    follow(0, StreamHarness.CELEBRITY);
    var post = star.posts("seen");
    harness.drain();

    assertThat(registry.authors()).extracting(PulledAuthor::authorId).containsExactly(star.id());
    unfollow(0, 1);

    assertThat(feed(fans.getFirst(), 5)).isEmpty();
    assertThat(feed(fans.get(1), 5)).containsExactly(post.postId());
  }

  private Post post(Person author) {
    harness.drain();
    harness.table.clock().advance(Duration.ofSeconds(1));
    return author.posts("post");
  }

  private void follow(int from, int to) {
    fans.subList(from, to).forEach(fan -> fan.follows(star));
    settle();
  }

  private void unfollow(int from, int to) {
    fans.subList(from, to).forEach(fan -> fan.unfollows(star));
    settle();
  }

  private void settle() {
    harness.table.clock().advance(Duration.ofSeconds(1));
    if (!harness.isPaused()) {
      harness.drain();
    }
  }

  private void replay() {
    harness.replay(Lane.COUNTS);
    harness.replay(Lane.EFFECTS);
  }

  private List<String> flips() {
    return harness.events.stream().map(ITCelebrities::flip).toList();
  }

  private static String flip(CelebrityFlagChanged event) {
    return event.isCelebrity() + " " + event.version();
  }

  /** The whole feed, page by page, as merged for the reader. */
  private List<String> feed(Person reader, int pageSize) {
    var followed =
        registry.authors().stream()
            .filter(a -> harness.world.follows.get(reader.id(), a.authorId()).isPresent())
            .toList();
    var all = new ArrayList<String>();
    var horizon = FeedEntry.horizon(harness.table.clock().instant());
    var view = new FeedView(reader.id(), followed, horizon);
    var request = PageRequest.first(pageSize);
    while (true) {
      var page = harness.world.feeds.of(view, request);
      assertThat(page.slots().size()).isLessThanOrEqualTo(pageSize);
      all.addAll(ids(page.items()));
      var next = page.next();
      if (next == null) {
        return all;
      }
      request = request.from(next);
    }
  }

  private static List<String> ids(List<FeedRef> refs) {
    return refs.stream().map(FeedRef::postId).toList();
  }
}
