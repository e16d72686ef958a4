package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.access.AccessPattern;
import social.feed.table.counter.Counters;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.LikeRef;
import social.feed.table.row.Post;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.PagingLaw;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** FEED-005 of a post with many likes: they are spread over several partitions of GSI1. */
@ExtendWith(EngineExtension.class)
class ITSpreadLikes {
  private static final CelebrityRule RULE = new CelebrityRule(10_000);
  private static final int BUCKETS = Post.LIKE_BUCKETS_OF_A_POST;
  private static final int PARTITIONS = BUCKETS + 1;
  private static final int MOST = AccessPattern.FEED_005.maxPage();

  @Test
  void count_thatReachesAThousand_spreadsFurtherLikes(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");

    count(table, post, 1, Post.LIKES_SPREAD_FROM - 1);
    assertThat(now(world, post).likeBuckets()).isNull();
    var cost = TestTable.costOf(() -> count(table, post, 2, 1));
    assertThat(cost).isEqualTo(new ConsumedUnits(0.5, 1));
    assertThat(now(world, post).likeBuckets()).isEqualTo(BUCKETS);
    count(table, post, 3, -500);
    count(table, post, 4, 500);
    assertThat(now(world, post).likeBuckets()).isEqualTo(BUCKETS);
  }

  @Test
  void likesOfASpreadPost_areSpreadEvenly_andCostThree(TestTable table, SeedWorld world) {
    var post = spread(table, world);
    var likes =
        IntStream.range(0, 1_600)
            .mapToObj(i -> Like.of(post, "account-" + i, ListContract.FIRST))
            .toList();

    assertThat(likes.stream().map(Like::bucket).distinct()).hasSize(BUCKETS);
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      int number = bucket;
      assertThat(likes)
          .filteredOn(like -> Objects.equals(like.bucket(), number))
          .hasSizeBetween(60, 140);
    }
    assertThat(TestTable.costOf(() -> world.likes.add(likes.getFirst())).write()).isEqualTo(3);
    assertThat(
            TestTable.costOf(() -> world.likes.remove(post.postId(), likes.getFirst().userId()))
                .write())
        .isEqualTo(3);
  }

  @Test
  void paging_oldAndSpreadLikes_followsThePagingLaw(TestTable table, SeedWorld world) {
    var post = spread(table, world);
    var expected = new ArrayList<LikeRef>();
    for (int i = 0; i < 60; i++) {
      // Some were written before the likes were spread, or by a process that did not know it.
      expected.add(0, add(world, post, i, i < 30 || i % 7 == 0));
    }

    PagingLaw.holds(request -> world.likes.of(post.postId(), BUCKETS, request), expected);
  }

  @Test
  void paging_insertsAndDeletesBetweenPages_neitherRepeatsNorSkips(
      TestTable table, SeedWorld world) {
    var post = spread(table, world);
    var before = new ArrayList<LikeRef>();
    for (int i = 0; i < 9; i++) {
      before.add(0, add(world, post, i, i % 3 == 0));
    }
    var first = world.likes.of(post.postId(), BUCKETS, PageRequest.first(3));
    world.likes.remove(post.postId(), before.get(2).userId());
    world.likes.remove(post.postId(), before.get(5).userId());
    add(world, post, 100, false);

    var expected = new ArrayList<>(before.subList(3, 9));
    expected.remove(before.get(5));
    assertThat(first.items()).isEqualTo(before.subList(0, 3));
    assertThat(
            PagingLaw.readAfter(
                request -> world.likes.of(post.postId(), BUCKETS, request), 2, first.next()))
        .isEqualTo(expected);
  }

  @Test
  void page_costsHalfAUnitAPartition_andTheLargestOneUnit(TestTable table, SeedWorld world) {
    var post = spread(table, world);
    fill(table, post, 600, false);

    assertPage(table, world, post, 20, PARTITIONS, 0.5 * PARTITIONS);
    assertPage(table, world, post, MOST, PARTITIONS, PARTITIONS);
  }

  /** All likes of the page are old ones, so their partition is read on. */
  @Test
  void page_ofLikesInOnePartition_isFull(TestTable table, SeedWorld world) {
    var post = spread(table, world);
    fill(table, post, 300, true);

    assertPage(table, world, post, MOST, PARTITIONS + 1, 0.5 * BUCKETS + 1 + 4);
  }

  @Test
  void likesOfAPostThatIsNotSpread_areOneQuery(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    add(world, post, 1, true);

    assertPage(table, world, post, 1, 1, 0.5);
  }

  private static void assertPage(
      TestTable table, SeedWorld world, Post post, int limit, int queries, double units) {
    var page =
        Observed.of(
            table,
            () -> world.likes.of(post.postId(), post.bucketsOfLikes(), PageRequest.first(limit)));
    assertThat(page.answer().items()).hasSize(limit);
    assertThat(page.requests()).hasSize(queries).allMatch(QueryRequest.class::isInstance);
    assertThat(page.cost().read()).isLessThanOrEqualTo(units);
  }

  private static void fill(TestTable table, Post post, int size, boolean isOld) {
    table.table().putAll(IntStream.range(0, size).mapToObj(i -> like(post, i, isOld)).toList());
  }

  private static LikeRef add(SeedWorld world, Post post, int number, boolean isOld) {
    var like = like(post, number, isOld);
    world.likes.add(like);
    return new LikeRef(like.userId(), like.createdAt());
  }

  private static Like like(Post post, int number, boolean isOld) {
    var time = ListContract.FIRST.plusMillis(number);
    var account = "liker%05d".formatted(number);
    return isOld
        ? new Like(post.postId(), account, post.authorId(), time)
        : Like.of(post, account, time);
  }

  private static Post spread(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    count(table, post, 1, Post.LIKES_SPREAD_FROM);
    var spread = now(world, post);
    assertThat(Like.of(spread, "bob", ListContract.FIRST).indexKeys().values())
        .anyMatch(key -> key.partition().startsWith(Keys.likesOf(post.postId()) + "#"));
    return spread;
  }

  private static void count(TestTable table, Post post, int sequence, long likes) {
    new Counters(table.table(), RULE)
        .apply(
            "shardId-00000001",
            Map.of(post.key(), List.of(Sequence.change(sequence, Post.LIKES_COUNT, likes))));
  }

  private static Post now(SeedWorld world, Post post) {
    return world.posts.get(post.postId()).orElseThrow();
  }
}
