package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;

/** A post enters each feed once, and is removed from every partition. */
@ExtendWith(EngineExtension.class)
class ITHomeFeeds {
  private static final PageRequest PAGE = PageRequest.first(50);

  @Test
  void deliver_repeatedAndTwiceInABatch_isOneEntry(SeedWorld world) {
    var post = world.user("alice").posts("x");
    var entry = FeedEntry.of(post.ref(), Names.fresh());

    world.feeds.deliver(List.of(entry, entry));
    world.feeds.deliver(List.of(entry));

    assertThat(world.feeds.stored(entry.readerId(), PAGE).items()).containsExactly(ref(post));
  }

  @Test
  void deliver_many_costsTwoUnitsEach(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    var entries = entries(post, 60);

    var cost = TestTable.costOf(() -> world.feeds.deliver(entries));

    assertThat(cost).isEqualTo(new ConsumedUnits(0, 120));
    assertThat(entries)
        .allSatisfy(e -> assertThat(world.feeds.stored(e.readerId(), PAGE).items()).hasSize(1));
  }

  @Test
  void deliver_many_usesAllPartitionsOfThePost(TestTable table, SeedWorld world) {
    var post = world.user("alice").posts("x");
    world.feeds.deliver(entries(post, 60));

    for (int shard = 0; shard < post.feedShards(); shard++) {
      assertThat(stored(table, post, shard)).isPositive();
    }
  }

  @Test
  void withdraw_entries_removesOnlyThose(SeedWorld world) {
    var post = world.user("alice").posts("x");
    var entries = entries(post, 3);
    world.feeds.deliver(entries);

    world.feeds.withdraw(entries.subList(0, 2));
    world.feeds.withdraw(entries.subList(0, 2));

    assertThat(entries)
        .extracting(e -> world.feeds.stored(e.readerId(), PAGE).items().size())
        .containsExactly(0, 0, 1);
  }

  @Test
  void entries_ofAFeedSinceATime_areNewestFirst(TestTable table, SeedWorld world) {
    var alice = world.user("alice");
    var reader = Names.fresh();
    var neighbour = Names.fresh();
    var expected = new ArrayList<FeedEntry>();
    for (int i = 0; i < 60; i++) {
      var post = alice.posts("x" + i);
      expected.addFirst(FeedEntry.of(post.ref(), reader));
      world.feeds.deliver(List.of(expected.getFirst(), FeedEntry.of(post.ref(), neighbour)));
      table.clock().advance(Duration.ofSeconds(1));
    }
    var since = expected.get(9).createdAt();

    assertThat(world.feeds.entries(reader, Instant.EPOCH).flatMap(List::stream))
        .isEqualTo(expected);
    assertThat(world.feeds.entries(reader, since).flatMap(List::stream))
        .isEqualTo(expected.subList(0, 10));
    assertThat(world.feeds.entries(Names.fresh(), Instant.EPOCH).flatMap(List::stream)).isEmpty();
  }

  private static long stored(TestTable table, Post post, int shard) {
    return new PartitionQueries(table.table())
        .keys(Keys.fanout(post.postId(), shard), Keys.FEEDS)
        .mapToInt(List::size)
        .sum();
  }

  private static List<FeedEntry> entries(Post post, int readers) {
    return IntStream.range(0, readers)
        .mapToObj(_ -> FeedEntry.of(post.ref(), Names.fresh()))
        .toList();
  }

  private static FeedRef ref(Post post) {
    return new FeedRef(post.postId(), post.authorId(), post.createdAt());
  }
}
