package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.post.Posts;
import social.feed.table.post.RecentDeliveries;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.Visibility;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.TestTable;

/** The posts whose delivery began lately, which the list of their author may not show yet. */
@ExtendWith(EngineExtension.class)
class ITRecentDeliveries {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private final TestTable table;
  private final SteppingClock clock = new SteppingClock(START);
  private final RecentDeliveries deliveries;
  private final Posts posts;
  private final String author = Names.fresh();
  private int second;
  private final Random random = new Random(author.hashCode());

  ITRecentDeliveries(TestTable table) {
    this.table = table;
    this.deliveries = new RecentDeliveries(table.table(), clock);
    this.posts = new Posts(table.table());
  }

  @Test
  void begin_costsAWriteUnitForEachPostThatFollowersGet() {
    var all =
        List.of(
            post(1, Visibility.PUBLIC, FanOutMode.PUSH),
            post(2, Visibility.FOLLOWERS, FanOutMode.PUSH),
            post(3, Visibility.PRIVATE, FanOutMode.PUSH),
            post(4, Visibility.PUBLIC, FanOutMode.PULL));

    assertThat(TestTable.costOf(() -> deliveries.begin(all))).isEqualTo(new ConsumedUnits(0, 2));
    assertThat(recent()).containsExactly(all.get(1).postId(), all.get(0).postId());
  }

  @Test
  void of_costsAReadUnitForEach4Kb() {
    try (var _ = table.bill()) {
      assertThat(cost(deliveries::of)).isEqualTo(new ConsumedUnits(1, 0));

      deliveries.begin(posts(14));
      assertThat(cost(deliveries::of)).isEqualTo(new ConsumedUnits(1, 0));

      deliveries.begin(posts(4));
      assertThat(cost(deliveries::of)).isEqualTo(new ConsumedUnits(2, 0));
    }
  }

  @Test
  void of_readsTheLastDeliveriesOnly() {
    for (int minute = 0; minute < 6; minute++) {
      clock.advance(Duration.ofMinutes(1));
      deliveries.begin(posts(100));
    }

    try (var bill = table.bill()) {
      assertThat(deliveries.of(author)).hasSize(RecentDeliveries.MAX);
      assertThat(bill.take().units().read()).isLessThan(40);
    }
    assertThat(deliveries.of(author).getLast().createdAt()).isAfter(START.plusSeconds(100));
  }

  @Test
  void allOfAuthor_areAsTheyWere_orAsTheyAreWithoutDeletedOnes() {
    var hidden = post(1);
    var deleted = post(2);
    deliveries.begin(List.of(hidden, deleted));
    posts.changeVisibility(hidden.postId(), author, Visibility.PRIVATE);
    posts.delete(deleted.postId(), author, START);

    assertThat(deliveries.withAllOfAuthor(author)).containsExactly(deleted.ref(), hidden.ref());
    assertThat(deliveries.withAllOfAuthorAsTheyAre(author))
        .extracting(PostRef::postId, PostRef::visibility)
        .containsExactly(tuple(hidden.postId(), Visibility.PRIVATE));
  }

  @Test
  void allOfAuthorAsTheyAre_costAReadUnitForEachThatIsRead() {
    deliveries.begin(posts(60));

    try (var _ = table.bill()) {
      var all = cost(id -> assertThat(deliveries.withAllOfAuthorAsTheyAre(id)).hasSize(60));
      var some =
          cost(id -> assertThat(deliveries.withAllOfAuthorAsTheyAre(id).limit(20)).hasSize(20));
      assertThat(all.read() - some.read()).isBetween(60.0 - 25, 60.0 - 20);
    }
  }

  @Test
  void of_withTwoAttemptsInAMinute_hasOneNote_andThePostOnce() {
    var post = post(1);
    deliveries.begin(List.of(post));
    clock.advance(Duration.ofSeconds(1));
    deliveries.begin(List.of(post));

    assertThat(notes()).isEqualTo(1);
    clock.advance(Duration.ofMinutes(1));
    deliveries.begin(List.of(post));
    assertThat(notes()).isEqualTo(2);
    assertThat(recent()).containsExactly(post.postId());
  }

  @Test
  void of_afterTheTimeThatAnIndexMayLag_isEmpty() {
    var early = post(1);
    var late = post(2);
    deliveries.begin(List.of(early));
    clock.advance(Retention.RECENT_DELIVERIES.minusMinutes(1));
    deliveries.begin(List.of(late));

    assertThat(recent()).containsExactly(late.postId(), early.postId());
    clock.advance(Duration.ofMinutes(2));
    assertThat(recent()).containsExactly(late.postId());
    clock.advance(Retention.RECENT_DELIVERIES);
    assertThat(recent()).isEmpty();
  }

  @Test
  void allOfAuthor_haveEachPostOnce_newestFirst() {
    var delivered = post(2);
    var all = List.of(post(1), delivered, post(3));
    deliveries.begin(List.of(delivered));

    assertThat(deliveries.withAllOfAuthor(author))
        .containsExactly(all.get(2).ref(), all.get(1).ref(), all.get(0).ref());
  }

  private ConsumedUnits cost(Consumer<String> read) {
    return TestTable.costOf(() -> read.accept(author));
  }

  private long notes() {
    return new PartitionQueries(table.table())
        .items(Keys.user(author), Keys.DELIVERIES)
        .mapToLong(List::size)
        .sum();
  }

  private List<Post> posts(int count) {
    return IntStream.range(0, count).mapToObj(_ -> post(++second)).toList();
  }

  private List<String> recent() {
    return deliveries.of(author).stream().map(PostRef::postId).toList();
  }

  private Post post(int second) {
    return post(second, Visibility.PUBLIC, FanOutMode.PUSH);
  }

  private Post post(int second, Visibility visibility, FanOutMode delivery) {
    var time = START.plusSeconds(second);
    var post =
        SamplePosts.by(author, time)
            .randomId(random)
            .visibility(visibility)
            .delivery(delivery)
            .build();
    posts.create(post);
    return post;
  }
}
