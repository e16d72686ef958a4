package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.sameVersion;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.streams.simulated.SimulatedCloud;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.counter.Counters;
import social.feed.table.engagement.Likes;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Block;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.TagTrend;
import social.feed.table.user.CelebrityRule;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.CloudLane;
import social.feed.testkit.simulation.Scale;
import social.feed.testkit.simulation.Subject;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * Planted bugs: work that a cloud's limits make late, refused or expensive. Each test measures the
 * right code and the bug, and asserts a bound that only the right code keeps. {@link ITCloud} has
 * the right code under more load.
 */
@LongRunning
class ITCloudMistakes extends CloudScenario {
  private static final Duration LONG = Duration.ofHours(1);

  /** Applies changes of a shard to their items, and returns those that failed. */
  private interface Counting
      extends BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>> {}

  private static MultiplexerSubject counting(UnaryOperator<Counting> bug) {
    return counting(bug, Wire.SOUND);
  }

  private static MultiplexerSubject counting(UnaryOperator<Counting> bug, Wire wire) {
    return new MultiplexerSubject() {
      @Override
      public StreamFunction function(Table sound, VirtualTime time, Scale scale, Sinks sinks) {
        var table = WiredClient.table(sound, wire);
        var rule = new CelebrityRule(scale.celebrityFrom());
        var right = new Counters(table, rule, BatchSizes.STANDARD.countersAtOnce());
        Counting wrong = bug.apply(right::applyEach);
        return function(table, time, scale, sinks, wrong, handlers -> handlers);
      }
    };
  }

  /** The planted bug: each erasure has a sweep of its own, as when each walked the table. */
  @Test
  void sweep_ofItsOwnForEachErasure_isFoundOut() {
    double shared = unitsOfSweeps(List::of);
    double apart = unitsOfSweeps(gone -> gone.stream().map(List::of).toList());

    System.out.printf("five erasures: %.0f read units shared, %.0f apart%n", shared, apart);
    assertThat(apart).isGreaterThan(3 * shared);
  }

  /**
   * Returns the read units of the sweeps that end five erasures.
   *
   * @param groups returns the accounts of each sweep
   */
  private static double unitsOfSweeps(Function<List<String>, List<List<String>>> groups) {
    var gone = IntStream.range(0, 5).mapToObj(i -> "gone" + i).toList();
    try (var cloud = cloud(limits(1), 3)) {
      cloud
          .unlimited()
          .putAll(
              IntStream.range(0, 4_000)
                  .mapToObj(i -> new RetainedPosts("other" + i, "author", now(cloud), now(cloud)))
                  .toList());
      users(cloud, gone.toArray(String[]::new));
      var erasures = new Erasures(cloud.unlimited(), new Users(cloud.unlimited()));
      double units = 0;
      for (var group : groups.apply(gone)) {
        group.forEach(id -> erasures.begin(id, now(cloud)));
        assertThat(cloud.drain(LONG)).isTrue();
        cloud.run(Retention.ERASURE_REST);
        double before = cloud.throughput().readUnits();
        new ErasureSweeps(cloud.table(), Subject.SWEEPS).wake(now(cloud));
        assertThat(cloud.drain(LONG)).isTrue();
        units += cloud.throughput().readUnits() - before;
      }
      assertThat(gone)
          .extracting(id -> erasures.of(id).orElseThrow().step())
          .containsOnly(ErasureStep.ERASED);
      return units;
    }
  }

  /** The planted bug: a repair sets the likes that it found, and the lane adds them again. */
  @Test
  void repair_thatWaitsForNoFence_countsTwice() {
    int likes = 5;
    try (var cloud = cloud(limits(1), 3)) {
      users(cloud, "author");
      var posts = new Posts(cloud.unlimited());
      var post = create(cloud, posts, "author", "liked");
      assertThat(cloud.drain(LONG)).isTrue();
      cloud.counts().hold();
      for (int i = 0; i < likes; i++) {
        new Likes(cloud.unlimited()).add(like(cloud, post, "liker" + i));
      }
      cloud.run(Duration.ofHours(5));

      var read = posts.get(post.postId()).orElseThrow();
      boolean isSet = new CounterRecounts(cloud.unlimited()).set(read, Post.LIKES_COUNT, likes);
      cloud.counts().resume();
      assertThat(cloud.drain(LONG)).isTrue();

      assertThat(isSet).isTrue();
      assertThat(posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(2L * likes);
    }
  }

  /** The planted bug: a function goes on until it is stopped, and reports nothing. */
  @Test
  void function_withoutADeadline_isFoundOut() {
    assertThat(timeoutsOfACleanUp(new MultiplexerSubject())).isZero();
    assertThat(timeoutsOfACleanUp(withoutADeadline())).isPositive();
  }

  private static MultiplexerSubject withoutADeadline() {
    return new MultiplexerSubject() {
      @Override
      public StreamFunction function(Table table, VirtualTime time, Scale scale, Sinks sinks) {
        var right = super.function(table, time, scale, sinks);
        return event -> {
          var answer = right.handle(event);
          if (answer != null && !answer.getBatchItemFailures().isEmpty()) {
            time.sleep(DEADLINE);
          }
          return answer;
        };
      }
    };
  }

  private int timeoutsOfACleanUp(MultiplexerSubject subject) {
    int likes = 500;
    try (var cloud = cloud(limits(1), 1, SCALE, Duration.ofMillis(400), subject)) {
      users(cloud, "author");
      var posts = new Posts(cloud.unlimited());
      var post = create(cloud, posts, "author", "liked");
      cloud
          .unlimited()
          .putAll(IntStream.range(0, likes).mapToObj(i -> like(cloud, post, "liker" + i)).toList());
      cloud.drain(LONG);
      posts.delete(post.postId(), "author", now(cloud));
      cloud.drain(LONG);
      int timeouts = cloud.effects().timeouts();
      System.out.printf("clean-up of %d likes: %d timeouts%n", likes, timeouts);
      return timeouts;
    }
  }

  /** The planted bug: the counters of a batch are written one after the other. */
  @Test
  void counters_oneAfterTheOther_areFoundOut() {
    var bound = Duration.ofSeconds(5);
    assertThat(countedWithin(counting(UnaryOperator.identity()))).isLessThanOrEqualTo(bound);
    assertThat(countedWithin(counting(ITCloudMistakes::inTurn))).isGreaterThan(bound);
  }

  private static Counting inTurn(Counting right) {
    return (shard, changes) -> {
      var failed = new HashMap<Key, RuntimeException>();
      changes.forEach((item, each) -> failed.putAll(right.apply(shard, Map.of(item, each))));
      return failed;
    };
  }

  /** Returns the time in which 99 % of the likes of many posts in one shard are counted. */
  private Duration countedWithin(MultiplexerSubject subject) {
    int perSecond = 400;
    var storm = Duration.ofSeconds(2L * TIMES);
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, subject)) {
      var posts = new Posts(cloud.unlimited());
      var liked =
          IntStream.range(0, perSecond)
              .mapToObj(i -> create(cloud, posts, "author" + i, "liked"))
              .toList();
      assertThat(cloud.drain(LONG)).isTrue();
      int before = cloud.counts().handled().size();
      var likes = new Likes(cloud.table());
      var answers =
          cloud.load(
              perSecond,
              storm,
              i -> likes.add(like(cloud, liked.get(i % liked.size()), "reader" + i)));
      cloud.run(storm);
      assertThat(cloud.drain(LONG)).isTrue();
      var within = countedWithin(cloud, before);
      System.out.printf("%d likes of many posts counted within %s%n", answers.done(), within);
      assertThat(answers.refused()).isZero();
      return within;
    }
  }

  /**
   * The planted bug: the lanes share the concurrency, so counts wait for effects that take long.
   */
  @Test
  void lanes_thatShareTheirConcurrency_areFoundOut() {
    var bound = Duration.ofSeconds(5);
    assertThat(countedNextToSlowEffects(false)).isLessThanOrEqualTo(bound);
    assertThat(countedNextToSlowEffects(true)).isGreaterThan(bound.multipliedBy(2));
  }

  /** Returns the time in which 99 % of the likes are counted. */
  private Duration countedNextToSlowEffects(boolean areShared) {
    var storm = Duration.ofSeconds(10);
    try (var cloud = SimulatedCloud.ofFewInvocations(2, areShared, withSlowEffects())) {
      var posts = new Posts(cloud.unlimited());
      var liked =
          IntStream.range(0, 20)
              .mapToObj(i -> create(cloud, posts, "author" + i, "liked"))
              .toList();
      assertThat(cloud.drain(LONG)).isTrue();
      int before = cloud.counts().handled().size();
      var likes = new Likes(cloud.table());
      cloud.load(
          liked.size(),
          storm,
          i -> likes.add(like(cloud, liked.get(i % liked.size()), "reader" + i)));
      cloud.run(storm);
      assertThat(cloud.drain(LONG)).isTrue();
      var within = countedWithin(cloud, before);
      System.out.printf(
          "likes next to slow effects counted within %s, %s%n",
          within, areShared ? "with a shared concurrency" : "with one for each lane");
      return within;
    }
  }

  private static MultiplexerSubject withSlowEffects() {
    return new MultiplexerSubject() {
      @Override
      public StreamFunction function(Table table, VirtualTime time, Scale scale, Sinks sinks) {
        var right = super.function(table, time, scale, sinks);
        return event -> {
          if (event.getShardId() == null) {
            time.sleep(Duration.ofSeconds(10));
          }
          return right.handle(event);
        };
      }
    };
  }

  /** Returns the time in which 99 % of the counted records were handled, from one of them on. */
  private static Duration countedWithin(Cloud cloud, int first) {
    return Cloud.percentile(
        cloud.counts().handled().stream().skip(first).map(CloudLane.Handled::delay).toList(), 0.99);
  }

  /** The planted bug: an item that its partition refuses stops those behind it in the batch. */
  @Test
  void counters_thatStopAtARefusedTag_areFoundOut() {
    assertThat(likesBehindARefusedTag(UnaryOperator.identity())).isEqualTo(5);
    assertThat(likesBehindARefusedTag(ITCloudMistakes::stopping)).isZero();
  }

  private static Counting stopping(Counting right) {
    return (shard, changes) -> {
      var failed = new HashMap<Key, RuntimeException>();
      changes.forEach(
          (item, each) ->
              failed.putAll(
                  failed.isEmpty()
                      ? right.apply(shard, Map.of(item, each))
                      : Map.of(item, failed.values().iterator().next())));
      return failed;
    };
  }

  /** Returns how many of five likes are counted while each use of a tag before them is refused. */
  private long likesBehindARefusedTag(UnaryOperator<Counting> bug) {
    var hot = TagTrend.key(TrendingTags.HALF_LIFE, "hot").partition();
    try (var cloud =
        cloud(limits(1), 1, SCALE, DEADLINE, counting(bug, new RefusedPartition(hot)))) {
      users(cloud, "author");
      var posts = new Posts(cloud.unlimited());
      var post = create(cloud, posts, "author", "liked");
      assertThat(cloud.drain(LONG)).isTrue();
      create(cloud, posts, "author", "#hot");
      for (int i = 0; i < 5; i++) {
        new Likes(cloud.unlimited()).add(like(cloud, post, "liker" + i));
      }
      cloud.run(Duration.ofMinutes(1));
      return posts.get(post.postId()).orElseThrow().likesCount();
    }
  }

  /** Refuses the puts in a partition. */
  private record RefusedPartition(String partition) implements Wire {
    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (request instanceof PutItemRequest put
          && KeyAttributes.key(put.item()).partition().equals(partition)) {
        throw ProvisionedThroughputExceededException.builder().message("planted").build();
      }
      return table.apply(request);
    }
  }

  /** The planted bug: each block writes the quota of the account that it names. */
  @Test
  void blocks_thatWriteTheQuotaOfTheBlockedAccount_areFoundOut() {
    double right =
        refusedShareOfBlocks(
            (cloud, block) ->
                new BlockWriter(cloud.table(), new BlocksAndMutes(cloud.table(), clock(cloud)), CAP)
                    .block(block));
    double wrong = refusedShareOfBlocks((cloud, block) -> compareAndSet(cloud.table(), block));

    System.out.printf("blocks of one account: %.3f refused, %.3f with the bug%n", right, wrong);
    assertThat(right).isLessThanOrEqualTo(0.01);
    assertThat(wrong).isGreaterThan(0.1);
  }

  private static void compareAndSet(Table table, Block block) {
    var quotas = new FollowQuotas(table);
    table
        .retry()
        .until(
            "The block at " + block.key(),
            () -> {
              var own = quotas.of(block.userId());
              var other = quotas.of(block.blockedId());
              var outcome =
                  table
                      .transaction()
                      .put(block, absent())
                      .put(block.mirrored())
                      .put(own.related().next(), sameVersion(FollowQuota.VERSION, own.version()))
                      .put(
                          other.related().next(), sameVersion(FollowQuota.VERSION, other.version()))
                      .commit();
              return outcome.isDone() ? Optional.of(block) : Optional.empty();
            });
  }

  private static double refusedShareOfBlocks(BiConsumer<Cloud, Block> blocking) {
    int perSecond = 200;
    try (var cloud = cloud(limits(1), 1)) {
      users(cloud, "victim");
      for (int i = 0; i < perSecond; i++) {
        users(cloud, "blocker" + i);
      }
      var answers =
          cloud.load(
              perSecond,
              Duration.ofSeconds(1),
              i -> blocking.accept(cloud, new Block("blocker" + i, "victim", now(cloud))));
      cloud.run(Duration.ofMinutes(1));
      assertThat(answers.done() + answers.refused()).isEqualTo(perSecond);
      return answers.refusedShare();
    }
  }

  /** The planted bug: a page asks the celebrities whom its reader follows one after the other. */
  @Test
  void pulledAuthors_oneAfterTheOther_areFoundOut() {
    try (var cloud = cloud(limits(1), 1)) {
      var pulled =
          IntStream.range(0, 300)
              .mapToObj(i -> PulledAuthor.from("star" + i, Instant.EPOCH))
              .toList();
      var view = new FeedView("reader", pulled, Instant.EPOCH);
      var first = PageRequest.first(50);
      var feeds = new HomeFeeds(cloud.table());
      var once = Duration.ofSeconds(1);
      var right = cloud.load(1, once, _ -> feeds.of(view, first));
      cloud.run(Duration.ofMinutes(1));
      var wrong = cloud.load(1, once, _ -> pulled.forEach(author -> feeds.pulled(author, first)));
      cloud.run(Duration.ofMinutes(1));

      System.out.printf(
          "300 pulled authors: %s at once, %s one after the other%n",
          right.within(1), wrong.within(1));
      assertThat(right.done() + wrong.done()).isEqualTo(2);
      assertThat(right.within(1)).isLessThanOrEqualTo(Duration.ofMillis(100));
      assertThat(wrong.within(1)).isGreaterThan(once);
    }
  }

  /** The planted bug: an item keeps the checkpoint of each shard, since no id of one has a time. */
  @Test
  void checkpoints_thatStay_areFoundOut() {
    double right = moreUnitsAfterAWeek(new MultiplexerSubject());
    double wrong = moreUnitsAfterAWeek(counting(ITCloudMistakes::ageless));

    System.out.printf(
        "a counter after a week: %.1f write units more, %.1f with the bug%n", right, wrong);
    assertThat(right).isLessThanOrEqualTo(1);
    assertThat(wrong).isGreaterThan(1);
  }

  private static Counting ageless(Counting right) {
    return (shard, changes) -> right.apply("ageless-" + shard, changes);
  }

  /** Returns how many units more a like costs after a week of new shards. */
  private double moreUnitsAfterAWeek(MultiplexerSubject subject) {
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, subject)) {
      users(cloud, "author");
      var post = create(cloud, new Posts(cloud.unlimited()), "author", "liked for a week");
      var partition = "table/" + post.key().partition();
      assertThat(cloud.drain(LONG)).isTrue();
      double first = 0;
      double last = 0;
      for (int roll = 0; roll < 7 * 6; roll++) {
        double before = cloud.throughput().taken(partition);
        new Likes(cloud.unlimited()).add(like(cloud, post, "liker" + roll));
        assertThat(cloud.drain(LONG)).isTrue();
        last = cloud.throughput().taken(partition) - before;
        first = roll == 0 ? last : first;
        cloud.run(Duration.ofHours(4));
      }
      return last - first;
    }
  }
}
