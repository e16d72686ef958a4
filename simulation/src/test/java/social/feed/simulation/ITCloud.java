package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.counter.Fences;
import social.feed.table.counter.Fences.Passage;
import social.feed.table.counter.Fences.Place;
import social.feed.table.engagement.Likes;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Block;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.user.CelebrityRule;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.CloudLane;
import social.feed.testkit.simulation.Scale;
import social.feed.testkit.simulation.Subject;

/**
 * Scenarios at a cloud's limits: hot items, and work behind the stream that is long, late or
 * shared. Each asserts its bounds, some also that a planted bug breaks them.
 */
@LongRunning
class ITCloud extends CloudScenario {
  /** How long verify waits for the stream of a deployed table. */
  private static final Duration SETTLE = Duration.ofMinutes(5);

  /** Next to a load of one second. */
  private static final int STRANGERS_IN_A_SECOND = 20;

  @Test
  void hashtag_usedAThousandTimesASecond() {
    // Limits and load are divided by the factor. The shards, their age and the latency are not.
    int factor = 25;
    int perSecond = 1_000 / factor;
    int shards = 20;
    var storm = Duration.ofSeconds(10L * TIMES);
    try (var cloud = cloud(limits(factor), shards)) {
      var posts = new Posts(cloud.table());
      var liked = new ArrayList<Post>();
      for (int i = 0; i < 10; i++) {
        liked.add(create(cloud, new Posts(cloud.unlimited()), "author" + i, "liked"));
      }
      double fresh = unitsOfAUse(cloud, "hot");
      useInOldShards(cloud, "hot", shards);
      double aged = unitsOfAUse(cloud, "hot");
      long before = uses(cloud, "hot");
      int first = cloud.counts().handled().size();

      var answers = new ArrayList<Cloud.Answers>();
      var likes = new Likes(cloud.table());
      var neighbors =
          delaysOfOthers(
              cloud,
              storm,
              () -> {
                answers.add(
                    cloud.load(perSecond, storm, i -> create(cloud, posts, "storm" + i, "#hot")));
                answers.add(
                    cloud.load(
                        perSecond,
                        storm,
                        i -> likes.add(like(cloud, liked.get(i % liked.size()), "reader" + i))));
              });
      var uses = answers.getFirst();
      var liking = answers.getLast();
      var delays =
          delays(
              cloud.counts(),
              first,
              key -> liked.stream().anyMatch(of -> key.contains(of.postId())));

      System.out.printf(
          "hashtag: %d uses, %d likes; a use costs %.1f units with fresh rows, %.1f with the"
              + " checkpoints of seven days; likes counted within %s (99 %%); %s; refused %s%n",
          uses.done(),
          liking.done(),
          fresh,
          aged,
          Cloud.percentile(delays, 0.99),
          neighbors,
          cloud.throughput().throttled());
      assertUndisturbed(neighbors);
      assertThat(uses.refused() + liking.refused()).isZero();
      assertThat(uses(cloud, "hot") - before).isEqualTo(uses.done());
      assertThat(aged).isLessThanOrEqualTo(fresh + 1);
      assertThat(cloud.throughput().throttled()).isEmpty();
      assertThat(Cloud.percentile(delays, 0.99)).isLessThanOrEqualTo(Duration.ofSeconds(5));
    }
  }

  @Test
  void blocksOfOneAccount_twoHundredASecond() {
    blocksOfOneAccount(200, limits(1));
  }

  /** The blocked account's rows take two write units each, so its partition must be split. */
  @Test
  void blocksOfOneAccount_aThousandASecond() {
    blocksOfOneAccount(1_000, limits(1).split(16));
  }

  private void blocksOfOneAccount(int perSecond, CloudTable.Limits limits) {
    // Not scaled: the conflicts depend on the requests that run at once.
    var storm = Duration.ofSeconds(TIMES);
    try (var cloud = cloud(limits, 1)) {
      users(cloud, "victim");
      for (int i = 0; i < perSecond * storm.toSeconds(); i++) {
        users(cloud, "blocker" + i);
      }
      var blocks =
          new BlockWriter(cloud.table(), new BlocksAndMutes(cloud.table(), clock(cloud)), CAP);
      var blocking = new ArrayList<Cloud.Answers>();
      var neighbors =
          delaysOfOthers(
              cloud,
              STRANGERS_IN_A_SECOND,
              storm,
              () ->
                  blocking.add(
                      cloud.load(
                          perSecond,
                          storm,
                          i -> blocks.block(new Block("blocker" + i, "victim", now(cloud))))));
      var answers = blocking.getFirst();

      System.out.printf(
          "block storm: %d done, %d refused, answered within %s (99 %%); %s; refused %s%n",
          answers.done(),
          answers.refused(),
          answers.within(0.99),
          neighbors,
          cloud.throughput().throttled());
      assertUndisturbed(neighbors);
      assertThat(answers.refusedShare()).isLessThanOrEqualTo(0.01);
      assertThat(answers.within(0.99)).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }
  }

  /** A post that is liked so often reached the count from which on its likes are spread. */
  @Test
  void viralPost_likedTenThousandTimesASecond() {
    var viral = likeViralPost((int) Post.LIKES_SPREAD_FROM, new MultiplexerSubject());
    assertThat(viral.isAnswered).isTrue();
    assertUndisturbed(viral.neighbors);
  }

  /** The planted bug: each like writes a notification, however many likes the post has. */
  @Test
  void viralPost_whoseLikesAllNotify_isFoundOut() {
    var viral = likeViralPost((int) Post.LIKES_SPREAD_FROM, notifyingOfEachLike());
    assertThat(viral.isAnswered).isTrue();
    assertThat(viral.neighbors.busy(0.99)).isGreaterThan(viral.neighbors.bound(0.99));
  }

  /** The images of likes lack their bucket. */
  private static MultiplexerSubject notifyingOfEachLike() {
    return new MultiplexerSubject() {
      @Override
      public StreamFunction function(Table table, VirtualTime time, Scale scale, Sinks sinks) {
        var sound = super.function(table, time, scale, sinks);
        return event -> {
          for (var record : event.getRecords()) {
            var image = record.getDynamodb().getNewImage();
            if (image != null && event.getShardId() == null) {
              var rest = new HashMap<>(image);
              rest.remove("bucket");
              record.getDynamodb().setNewImage(rest);
            }
          }
          return sound.handle(event);
        };
      }
    };
  }

  /** The planted bug: all likes of a post go to one partition of the index. */
  @Test
  void viralPost_whoseLikesAreNotSpread_isFoundOut() {
    assertThat(likeViralPost(0, new MultiplexerSubject()).isAnswered).isFalse();
  }

  /**
   * What happened next to a viral post.
   *
   * @param isAnswered whether 99 % of the likes were answered, within a second
   * @param neighbors the posts of others
   */
  private record Viral(boolean isAnswered, Delays neighbors) {}

  /**
   * Lets a post be liked 10 000 times a second. Refused requests may concern this post only.
   *
   * @param earlier the number of likes before
   */
  private Viral likeViralPost(int earlier, MultiplexerSubject subject) {
    int factor = 200;
    var storm = Duration.ofSeconds(20L * TIMES);
    // A viral post is read and written long enough for its partition to be split by sort key. The
    // sort keys of its likes begin with the account, so they meet in no one place.
    try (var cloud = cloud(limits(factor).split(16), 1, SCALE, DEADLINE, subject)) {
      users(cloud, "author");
      var posts = new Posts(cloud.unlimited());
      var created = create(cloud, posts, "author", "viral");
      cloud
          .unlimited()
          .putAll(
              IntStream.range(0, earlier)
                  .mapToObj(i -> like(cloud, created, "earlier" + i))
                  .toList());
      assertThat(cloud.drain(Duration.ofHours(1))).isTrue();
      var post = posts.get(created.postId()).orElseThrow();
      var likes = new Likes(cloud.table());
      var liking = new ArrayList<Cloud.Answers>();
      var neighbors =
          delaysOfOthers(
              cloud,
              storm,
              () ->
                  liking.add(
                      cloud.load(
                          10_000.0 / factor,
                          storm,
                          i -> likes.add(like(cloud, post, "reader" + i)))));
      var answers = liking.getFirst();

      System.out.printf(
          "viral post with %d likes before: %d likes done, %d refused, answered within %s (99 %%),"
              + " %d counted; %s; refused %s%n",
          earlier,
          answers.done(),
          answers.refused(),
          answers.within(0.99),
          posts.get(post.postId()).orElseThrow().likesCount(),
          neighbors,
          cloud.throughput().throttled());
      assertThat(posts.get(post.postId()))
          .hasValueSatisfying(
              counted ->
                  assertThat(counted.likesCount()).isEqualTo(earlier + (long) answers.done()));
      // The notifications of the first likes make the author's partition hot, and no request.
      assertThat(cloud.throughput().throttled().keySet())
          .allMatch(partition -> partition.contains(post.postId()) || partition.contains("author"));
      return new Viral(
          answers.refusedShare() <= 0.01
              && answers.within(0.99).compareTo(Duration.ofSeconds(1)) <= 0,
          neighbors);
    }
  }

  @Test
  void celebrityFlip_costsTheSame_whateverTheNumberOfFollowers() {
    double few = unitsOfAFlip(20);
    double many = unitsOfAFlip(200);
    System.out.printf("flip: %.0f units with 20 followers, %.0f with 200%n", few, many);
    assertThat(many).isLessThanOrEqualTo(few);
  }

  /** Returns the write units of the follow that makes a celebrity, and of all its effects. */
  private static double unitsOfAFlip(int followers) {
    var scale = new Scale(20, followers, 500, 8, EFFECTS_TRACKS);
    try (var cloud = cloud(limits(1), 3, scale)) {
      users(cloud, "star", "last");
      var edges = new ArrayList<Follow>();
      for (int i = 1; i < followers; i++) {
        edges.add(Follow.imported("fan" + i, "star", now(cloud)));
      }
      cloud.unlimited().putAll(edges);
      assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
      double before = cloud.throughput().writeUnits();
      new FollowWriter(cloud.table(), CAP).follow(Follow.of("last", "star", now(cloud)));
      assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
      assertThat(new Users(cloud.unlimited()).get("star"))
          .hasValueSatisfying(star -> assertThat(star.isCelebrity()).isTrue());
      return cloud.throughput().writeUnits() - before;
    }
  }

  @Test
  void erasure_readsWhatTheAccountHas() {
    double small = unitsReadByAnErasure(100);
    double large = unitsReadByAnErasure(4_000);
    System.out.printf(
        "erasure: %.0f read units next to 100 rows of others, %.0f next to 4 000%n", small, large);
    assertThat(large).isLessThanOrEqualTo(small + 10);
  }

  /** Returns the read units of an erasure until it waits for a sweep. */
  private double unitsReadByAnErasure(int rowsOfOthers) {
    try (var cloud = cloud(limits(1), 3)) {
      users(cloud, "gone", "stays");
      retainPosts(cloud, rowsOfOthers);
      create(cloud, new Posts(cloud.unlimited()), "gone", "last words");
      assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
      double before = cloud.throughput().readUnits();
      var erasures = new Erasures(cloud.table(), new Users(cloud.table()));
      erasures.begin("gone", now(cloud));
      cloud.drain(Duration.ofMinutes(10));
      assertThat(erasures.of("gone"))
          .hasValueSatisfying(erasure -> assertThat(erasure.step()).isEqualTo(ErasureStep.RESTING));
      return cloud.throughput().readUnits() - before;
    }
  }

  @Test
  void sweep_isSharedByAllPendingErasures() {
    double one = unitsReadByASweep(1, 4_000);
    double twenty = unitsReadByASweep(20, 4_000);
    double ofSmallTable = unitsReadByASweep(1, 100);
    System.out.printf(
        "sweep of 4 000 rows: %.0f read units for one erasure, %.0f for twenty; %.0f next to 100"
            + " rows%n",
        one, twenty, ofSmallTable);
    assertThat(one).as("one scan").isGreaterThan(ofSmallTable + 100);
    assertThat(twenty).as("a few for each erasure").isLessThanOrEqualTo(one + 19 * 8);
  }

  /** Returns the read units of the sweep that ends some erasures. */
  private static double unitsReadByASweep(int pending, int rowsOfOthers) {
    try (var cloud = cloud(limits(1), 3)) {
      retainPosts(cloud, rowsOfOthers);
      var gone = IntStream.range(0, pending).mapToObj(i -> "gone" + i).toList();
      users(cloud, gone.toArray(String[]::new));
      var erasures = new Erasures(cloud.unlimited(), new Users(cloud.unlimited()));
      gone.forEach(id -> erasures.begin(id, now(cloud)));
      assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
      double before = cloud.throughput().readUnits();
      var sweeps = new ErasureSweeps(cloud.table(), Subject.SWEEPS);
      sweeps.wake(now(cloud).plus(Retention.ERASURE_REST));
      assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
      assertThat(gone)
          .extracting(id -> erasures.of(id).orElseThrow().step())
          .containsOnly(ErasureStep.ERASED);
      return cloud.throughput().readUnits() - before;
    }
  }

  private static void retainPosts(Cloud cloud, int rows) {
    cloud
        .unlimited()
        .putAll(
            IntStream.range(0, rows)
                .mapToObj(i -> new RetainedPosts("other" + i, "author" + i, now(cloud), now(cloud)))
                .toList());
  }

  /** {@code verify --fix} repairs no count behind a fence that the lane has not passed. */
  @Test
  void fence_behindALaneThatLagsByHours() {
    int likes = 5;
    try (var cloud = cloud(limits(1), 3)) {
      users(cloud, "author", "liker0", "liker1", "liker2", "liker3", "liker4");
      var post = create(cloud, new Posts(cloud.unlimited()), "author", "liked");
      assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
      cloud.counts().hold();
      for (int i = 0; i < likes; i++) {
        new Likes(cloud.unlimited()).add(like(cloud, post, "liker" + i));
      }
      cloud.run(Duration.ofHours(5));
      var fences = new Fences(cloud.unlimited(), clock(cloud));
      var places = Set.of(Place.counts(Post.key(post.postId()).partition()));
      var name = fences.raise(places);
      cloud.run(SETTLE);
      var behind = fences.passages(name, places).values();
      cloud.counts().resume();
      assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
      var drained = fences.passages(name, places).values();
      long counted = new Posts(cloud.unlimited()).get(post.postId()).orElseThrow().likesCount();
      System.out.printf(
          "fence behind a lane: %d likes, %d counted; %s, then %s%n",
          likes, counted, behind, drained);
      assertThat(behind).containsExactly(Passage.WAITING);
      assertThat(drained).containsExactly(Passage.PASSED);
      assertThat(counted).isEqualTo(likes);
    }
  }

  @Test
  void cleanUp_longerThanAnInvocation_goesOnInTheNext() {
    int likes = 500;
    try (var cloud = cloud(limits(1), 1, SCALE, Duration.ofMillis(400))) {
      users(cloud, "author");
      var post = create(cloud, new Posts(cloud.unlimited()), "author", "liked");
      var rows = IntStream.range(0, likes).mapToObj(i -> like(cloud, post, "liker" + i)).toList();
      cloud.unlimited().putAll(rows);
      assertThat(cloud.drain(Duration.ofHours(1))).isTrue();
      int before = cloud.effects().failures();
      new Posts(cloud.unlimited()).delete(post.postId(), "author", now(cloud));
      assertThat(cloud.drain(Duration.ofHours(1))).isTrue();
      int left = cloud.unlimited().getAll(rows.stream().map(Like::key).toList(), true).size();

      System.out.printf(
          "clean-up: %d likes, %d invocations that stopped before their end, %d timeouts%n",
          likes, cloud.effects().failures() - before, cloud.effects().timeouts());
      assertThat(left).isZero();
      assertThat(cloud.effects().failures()).isGreaterThan(before);
      assertThat(cloud.effects().timeouts() + cloud.counts().timeouts()).isZero();
      assertThat(cloud.deadLetters()).isEmpty();
    }
  }

  @Test
  void unfollow_whileTheIndexDoesNotShowTheEntriesYet() {
    // Long enough for the author's list to show the post, and too short for the feeds' index.
    var delivered = Duration.ofMillis(450);
    int readers = 60;
    try (var cloud = cloud(limits(1), 3)) {
      users(cloud, "author");
      var ids = IntStream.range(0, readers).mapToObj(i -> "reader" + i).toList();
      users(cloud, ids.toArray(String[]::new));
      var follows = new FollowWriter(cloud.unlimited(), CAP);
      ids.forEach(id -> follows.follow(Follow.of(id, "author", now(cloud))));
      assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
      var posts = new ArrayList<Post>();
      cloud.load(
          1,
          Duration.ofSeconds(1),
          _ -> posts.add(create(cloud, new Posts(cloud.table()), "author", "well")));
      // Delivered, and the delivery has looked at the edges again.
      cloud.run(delivered);
      var keys = ids.stream().map(id -> FeedEntry.of(posts.getFirst().ref(), id).key()).toList();
      assertThat(cloud.unlimited().getAll(keys, true)).hasSize(readers);
      ids.forEach(id -> follows.unfollow(id, "author"));
      assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
      int left = cloud.unlimited().getAll(keys, true).size();

      System.out.printf("unfollow: %d of %d entries stay%n", left, readers);
      assertThat(left).isZero();
    }
  }

  /** Returns the delays of some partition keys' records from one of the handled records on. */
  private static List<Duration> delays(CloudLane lane, int first, Predicate<String> partition) {
    return lane.handled().subList(first, lane.handled().size()).stream()
        .filter(handled -> partition.test(handled.partition()))
        .map(CloudLane.Handled::delay)
        .toList();
  }

  /** Counts uses of a tag in the shards of the last seven days; each was open for four hours. */
  private static void useInOldShards(Cloud cloud, String tag, int shards) {
    var counters = new Counters(cloud.unlimited(), new CelebrityRule(SCALE.celebrityFrom()));
    var change = new CountChange("100", TagUses.USES, 1);
    for (int roll = 1; roll < 7 * 6; roll++) {
      var since = now(cloud).minus(Duration.ofHours(4L * roll));
      for (int shard = 0; shard < shards; shard++) {
        counters.apply(
            Cloud.shardId(since, shard),
            Map.of(TagUses.key(TrendingTags.HALF_LIFE, tag, now(cloud)), List.of(change)));
      }
    }
  }

  /** Returns the write units that counting one use of a tag takes. */
  private double unitsOfAUse(Cloud cloud, String tag) {
    double before = taken(cloud, tag);
    create(cloud, new Posts(cloud.unlimited()), "single", "#" + tag);
    cloud.drainCounts(Duration.ofMinutes(10));
    return taken(cloud, tag) - before;
  }

  private static double taken(Cloud cloud, String tag) {
    return cloud
        .throughput()
        .taken("table/" + TagTrend.key(TrendingTags.HALF_LIFE, tag).partition());
  }

  private static long uses(Cloud cloud, String tag) {
    return cloud
        .unlimited()
        .getAll(List.of(TagTrend.key(TrendingTags.HALF_LIFE, tag)), true)
        .stream()
        .map(TagTrend.class::cast)
        .flatMap(trend -> trend.uses().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }
}
