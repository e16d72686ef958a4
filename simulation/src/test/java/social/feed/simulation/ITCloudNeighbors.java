package social.feed.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.table.engagement.Likes;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;
import social.feed.table.row.Block;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.Visibility;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.HiddenAttribute;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.fault.WiredClient;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.CloudLane;
import social.feed.testkit.simulation.Scale;

/**
 * Posts of others are delivered as before, while one account gets or causes as much as the limits
 * admit. Some scenarios also assert that a planted bug breaks the bound.
 */
@LongRunning
class ITCloudNeighbors extends CloudScenario {
  /** Ten times the changes a second that the API admits from one caller (ADR 0064). */
  private static final int API_LIMIT = 100;

  /** The load of a caller; no multiple of the posts of others, so that they meet in every phase. */
  private static final int FLOOD = API_LIMIT - 7;

  /** What the API admits at once of one author with up to some 1,200 followers (ADR 0044). */
  private static final double POSTS_IN_THE_FIRST_SECOND = 4;

  /** Ten times as many as the API admits. */
  private static final double POSTS_A_SECOND = 2;

  /** What belongs to a post of an author near the threshold of celebrities. */
  private static final int READERS_OF_A_POST = 9_000;

  private static final int LIKES_OF_A_POST = 2_000;

  private static final int NOTIFIED_OF_A_POST = 5_000;

  /** An author whose erasure causes some 50,000 units, at the default pace. */
  private static final int READERS_OF_THE_ERASED = 600;

  private static final int POSTS_OF_THE_ERASED = 30;

  /** Without a pace, fewer posts of the same author delay others. */
  private static final int POSTS_WITHOUT_A_PACE = 10;

  private static final double PACE_OF_ERASURES = 2_000;

  /** The most that are charged (ADR 0075). */
  private static final int POSTS_OF_A_BLOCKER = 2_000;

  /** What the API admits at once of such an author's blocks of followers. */
  private static final int BLOCKS_IN_THE_FIRST_SECOND = 4;

  /** What the API admits of them afterwards. */
  private static final double BLOCKS_A_SECOND = 0.17;

  /** Accounts with a relation to one that is erased: several parts of an erasure. */
  private static final int RELATED = 300;

  /** What a part of its removal may take. */
  private static final Duration PART = Duration.ofMillis(300);

  /** What the end of a follow may take. It is not removed in parts. */
  private static final Duration END_OF_A_FOLLOW = Duration.ofMillis(500);

  /** The last of these audiences is delivered in chunks. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 400, 600})
  void caller_whoFloods_delaysNoOneElse(int followers) {
    var delays = flood(followers, FLOOD, new MultiplexerSubject());
    assertThat(delays.busy(0.99)).isLessThanOrEqualTo(delays.bound(0.99));
  }

  /** The planted bug: a change that came meanwhile is not left to its own record. */
  @Test
  void caller_whoFloods_whereChangesAreNotCounted_isFoundOut() {
    var delays = flood(3, FLOOD, withoutVersions());
    assertThat(delays.busy(0.99)).isGreaterThan(delays.bound(0.99));
  }

  static Stream<Integer> followersOfAnAuthor() {
    return variants(600, 100);
  }

  /**
   * An author posts and likes ten times as often as the limits admit. Posts of others do not wait,
   * the hundredth neither. The first of these audiences is delivered in chunks.
   */
  @ParameterizedTest
  @MethodSource("followersOfAnAuthor")
  void author_whoPostsAndLikes_delaysNoOneElse(int followers) {
    var delays = delaysByAnAuthor(followers, POSTS_A_SECOND, Duration.ofSeconds(6L * TIMES));
    assertUndisturbed(delays);
  }

  /** The planted bug: a post costs its author no more than another request. It shows at once. */
  @Test
  void author_whoseDeliveriesAreNotCharged_isFoundOut() {
    var delays = delaysByAnAuthor(100, FLOOD, Duration.ofSeconds(TIMES));
    assertThat(delays.busy(0.9)).isGreaterThan(delays.bound(0.9));
  }

  /** How a post of many goes. */
  private enum Removal {
    DELETED {
      @Override
      void of(Posts posts, Post post, Instant now) {
        posts.delete(post.postId(), post.authorId(), now);
      }
    },
    HIDDEN {
      @Override
      void of(Posts posts, Post post, Instant now) {
        posts.changeVisibility(post.postId(), post.authorId(), Visibility.PRIVATE);
      }
    },
    /** Shown to followers only, of whom there are none any more. */
    NARROWED {
      @Override
      void of(Posts posts, Post post, Instant now) {
        posts.changeVisibility(post.postId(), post.authorId(), Visibility.FOLLOWERS);
      }
    };

    abstract void of(Posts posts, Post post, Instant now);
  }

  static Stream<Removal> removals() {
    return variants(Removal.values());
  }

  static Stream<Removal> removalsOfAllReaders() {
    return variants(Removal.DELETED, Removal.HIDDEN);
  }

  /**
   * A post that many liked, of which many were notified and which many have in their feeds is
   * deleted, hidden from all, or shown to followers only. Nine of ten posts of others are not in
   * its part of the keys; the others wait for one part at most.
   */
  @ParameterizedTest
  @MethodSource("removals")
  void removal_ofAPostOfMany_delaysNoOneElse(Removal removal) {
    var delays = removal(removal, new WithoutInboxes());
    assertThat(delays.busy(0.9)).isLessThanOrEqualTo(delays.bound(0.9));
    assertThat(delays.busy(0.99)).isLessThanOrEqualTo(delays.quiet(0.99).plus(PART));
  }

  /**
   * The planted bug: the whole removal belongs to one record. Of notifications alone, the record
   * takes 2.4 s and meets too few posts of others to be seen here; {@code ITBounds} finds it.
   */
  @ParameterizedTest
  @MethodSource("removalsOfAllReaders")
  void removal_inOneRecord_isFoundOut(Removal removal) {
    var delays =
        removal(
            removal,
            new WithoutInboxes() {
              @Override
              protected BatchSizes sizes(Scale scale) {
                return super.sizes(scale).removing(Integer.MAX_VALUE);
              }
            });
    assertThat(delays.busy(0.99)).isGreaterThan(delays.quiet(0.99).plus(PART.multipliedBy(3)));
  }

  /** Counts no notifications: their readers have no accounts, so each attempt would fail. */
  private static class WithoutInboxes extends MultiplexerSubject {
    @Override
    public boolean isCounted(DynamodbStreamRecord record) {
      return super.isCounted(record) && !sortKey(record).startsWith(Keys.NOTIFICATIONS);
    }
  }

  private Delays removal(Removal removal, MultiplexerSubject subject) {
    var storm = Duration.ofSeconds(6L * TIMES);
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, subject)) {
      users(cloud, "loved");
      var post = create(cloud, new Posts(cloud.unlimited()), "loved", "by many");
      var readers =
          IntStream.range(0, READERS_OF_A_POST * TIMES)
              .mapToObj(i -> FeedEntry.of(post.ref(), "fan" + i))
              .toList();
      var likes =
          IntStream.range(0, LIKES_OF_A_POST * TIMES)
              .mapToObj(i -> like(cloud, post, "fan" + i))
              .toList();
      var notified =
          IntStream.range(0, NOTIFIED_OF_A_POST * TIMES)
              .mapToObj(i -> notified(cloud, post, "fan" + i))
              .toList();
      cloud.unlimited().putAll(readers);
      cloud.unlimited().putAll(likes);
      cloud.unlimited().putAll(notified);
      cloud.unlimited().putAll(notified.stream().map(PostNotification::notification).toList());
      assertThat(cloud.drain(Duration.ofHours(6))).isTrue();
      var before = new int[1];
      var delays =
          delaysOfOthers(
              cloud,
              storm,
              () -> {
                before[0] = cloud.effects().handled().size();
                removal.of(new Posts(cloud.table()), post, now(cloud));
              });
      System.out.printf(
          "%s post with %d readers, %d likes and %d notifications: %s; longest batch %s%n",
          removal,
          readers.size(),
          likes.size(),
          notified.size(),
          delays,
          cloud.effects().handled().stream()
              .skip(before[0])
              .map(CloudLane.Handled::delay)
              .max(Duration::compareTo)
              .orElseThrow());
      assertRemoved(cloud, post, removal, readers.size(), likes.size());
      var shown = notified.stream().map(it -> it.notification().key()).toList();
      assertThat(cloud.unlimited().getAll(shown, true)).isEmpty();
      return delays;
    }
  }

  private static void assertRemoved(
      Cloud cloud, Post post, Removal removal, int readers, int likes) {
    var left = new PartitionQueries(cloud.unlimited());
    assertThat(holders(cloud, post))
        .isEqualTo(
            switch (removal) {
              case DELETED -> 0;
              case HIDDEN -> 1;
              case NARROWED -> 1 + readers;
            });
    assertThat(left.keys(Keys.post(post.postId()), Keys.CLEAN_UPS)).allMatch(List::isEmpty);
    assertThat(left.keys(Keys.post(post.postId()), Keys.LIKES).mapToInt(List::size).sum())
        .isEqualTo(removal == Removal.DELETED ? 0 : likes);
  }

  private static PostNotification notified(Cloud cloud, Post post, String reader) {
    long expiry = now(cloud).plus(MultiplexerSubject.NOTIFICATIONS_LIVE).getEpochSecond();
    return new PostNotification(post.postId(), reader, post.authorId(), post.createdAt(), expiry);
  }

  /** An author of many posts in many feeds is erased. */
  @Test
  void erasure_ofALargeAccount_delaysNoOneElse() {
    assertUndisturbed(
        erasure(
            POSTS_OF_THE_ERASED, Duration.ofSeconds(12), ITCloudErasures.paced(PACE_OF_ERASURES)));
  }

  /** The planted bug: each part follows at once. */
  @Test
  void erasure_withoutAPace_isFoundOut() {
    var delays =
        erasure(
            POSTS_WITHOUT_A_PACE,
            Duration.ofSeconds(4),
            ITCloudErasures.paced(Double.POSITIVE_INFINITY));
    assertThat(delays.busy(0.99)).isGreaterThan(delays.bound(0.99));
  }

  private Delays erasure(int postsOfOne, Duration once, MultiplexerSubject subject) {
    var storm = once.multipliedBy(TIMES);
    int posts = postsOfOne * TIMES;
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, subject)) {
      userWithFans(cloud, "gone", READERS_OF_THE_ERASED);
      assertThat(cloud.drain(Duration.ofHours(1))).isTrue();
      for (int i = 0; i < posts; i++) {
        create(cloud, new Posts(cloud.unlimited()), "gone", "last words");
      }
      assertThat(cloud.drain(Duration.ofHours(1))).isTrue();
      var erasures = new Erasures(cloud.unlimited(), new Users(cloud.unlimited()));
      var delays = delaysOfOthers(cloud, storm, () -> erasures.begin("gone", now(cloud)));
      System.out.printf(
          "erasure of an author of %d posts with %d readers: %s%n",
          posts, READERS_OF_THE_ERASED, delays);
      cloud.run(Duration.ofMinutes(5L * TIMES));
      assertThat(erasures.of("gone"))
          .hasValueSatisfying(erasure -> assertThat(erasure.step()).isEqualTo(ErasureStep.RESTING));
      return delays;
    }
  }

  /**
   * An account that many follow and one that many have blocked are erased. Each row is a call or
   * more by itself.
   */
  @Test
  void erasure_ofFollowersAndBlocks_delaysNoOneElse() {
    var delays = erasureOfRelations(ITCloudErasures.paced(PACE_OF_ERASURES));
    assertThat(delays.busy(0.9)).isLessThanOrEqualTo(delays.bound(0.9));
    assertThat(delays.busy(0.99)).isLessThanOrEqualTo(delays.quiet(0.99).plus(PART));
  }

  /** The planted bug: one call after the other. */
  @Test
  void erasure_ofFollowersAndBlocks_oneAfterTheOther_isFoundOut() {
    var delays = erasureOfRelations(ITCloudErasures.paced(PACE_OF_ERASURES, 1));
    assertThat(delays.busy(0.99)).isGreaterThan(delays.quiet(0.99).plus(PART.multipliedBy(3)));
  }

  /**
   * An author of many posts blocks followers, whose feeds lose them: at first as many at once as
   * the limits admit, and then ten times as often. All these edges have one partition key.
   */
  @Test
  void blocks_ofFollowers_delayNoOneElse() {
    var delays = blocksOfFollowers(BLOCKS_A_SECOND, Duration.ofSeconds(6L * TIMES));
    assertThat(delays.busy(0.9)).isLessThanOrEqualTo(delays.bound(0.9));
    assertThat(delays.busy(0.99)).isLessThanOrEqualTo(delays.quiet(0.99).plus(END_OF_A_FOLLOW));
  }

  /** The planted bug: a block costs no more than another change. */
  @Test
  void blocks_ofFollowers_thatAreNotCharged_areFoundOut() {
    var delays = blocksOfFollowers(API_LIMIT / 10.0, Duration.ofSeconds(2L * TIMES));
    assertThat(delays.busy(0.9)).isGreaterThan(delays.bound(0.9));
  }

  private Delays blocksOfFollowers(double perSecond, Duration storm) {
    int posts = POSTS_OF_A_BLOCKER;
    int atOnce = BLOCKS_IN_THE_FIRST_SECOND;
    int followers = atOnce + (int) (perSecond * storm.toSeconds());
    var subject = new MultiplexerSubject();
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, subject)) {
      var written =
          IntStream.range(0, posts)
              .mapToObj(_ -> create(cloud, new Posts(cloud.unlimited()), "shy", "mine"))
              .toList();
      assertThat(cloud.drain(Duration.ofHours(1))).isTrue();
      userWithFans(cloud, "shy", followers);
      users(cloud, IntStream.range(0, followers).mapToObj(i -> "fan" + i).toArray(String[]::new));
      assertThat(cloud.drain(Duration.ofHours(1))).isTrue();
      for (int i = 0; i < followers; i++) {
        var fan = "fan" + i;
        cloud
            .unlimited()
            .putAll(written.stream().map(post -> FeedEntry.of(post.ref(), fan)).toList());
      }
      assertThat(cloud.drain(Duration.ofHours(1))).isTrue();
      int before = cloud.effects().handled().size();
      var blocks =
          new BlockWriter(cloud.table(), new BlocksAndMutes(cloud.table(), clock(cloud)), 5_000);
      var delays =
          delaysOfOthers(
              cloud,
              storm,
              () -> {
                cloud.load(
                    BLOCKS_IN_THE_FIRST_SECOND,
                    Duration.ofSeconds(1),
                    i -> blocks.block(new Block("shy", "fan" + i, now(cloud))));
                cloud.load(
                    perSecond,
                    storm,
                    i -> blocks.block(new Block("shy", "fan" + (atOnce + i), now(cloud))));
              });
      System.out.printf(
          "%d blocks by an author of %d posts, %.1f a second: %s; longest batch %s%n",
          followers,
          posts,
          perSecond,
          delays,
          cloud.effects().handled().stream()
              .skip(before)
              .map(CloudLane.Handled::delay)
              .max(Duration::compareTo)
              .orElseThrow());
      assertThat(holders(cloud, written.getFirst())).isEqualTo(1);
      return delays;
    }
  }

  private Delays erasureOfRelations(MultiplexerSubject subject) {
    var storm = Duration.ofSeconds(4L * TIMES);
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, subject)) {
      userWithFans(cloud, "followed", RELATED * TIMES);
      users(cloud, "blocked");
      cloud
          .unlimited()
          .putAll(
              IntStream.range(0, RELATED * TIMES)
                  .mapToObj(i -> new Block("fan" + i, "blocked", now(cloud)))
                  .flatMap(block -> Stream.of(block, block.mirrored()))
                  .toList());
      assertThat(cloud.drain(Duration.ofHours(1))).isTrue();
      var erasures = new Erasures(cloud.unlimited(), new Users(cloud.unlimited()));
      int before = cloud.effects().handled().size();
      var delays =
          delaysOfOthers(
              cloud,
              storm,
              () -> {
                erasures.begin("followed", now(cloud));
                erasures.begin("blocked", now(cloud));
              });
      System.out.printf(
          "erasures of accounts with %d followers and %d blocks: %s; longest batch %s%n",
          RELATED * TIMES,
          RELATED * TIMES,
          delays,
          cloud.effects().handled().stream()
              .skip(before)
              .map(CloudLane.Handled::delay)
              .max(Duration::compareTo)
              .orElseThrow());
      cloud.run(Duration.ofMinutes(1L * TIMES));
      assertThat(List.of("followed", "blocked"))
          .allSatisfy(
              id ->
                  assertThat(erasures.of(id).orElseThrow().step()).isEqualTo(ErasureStep.RESTING));
      return delays;
    }
  }

  private Delays delaysByAnAuthor(int followers, double postsASecond, Duration storm) {
    try (var cloud = cloud(limits(1), 1)) {
      userWithFans(cloud, "busy", followers);
      var liked =
          IntStream.range(0, (int) (FLOOD * storm.toSeconds()) + 1)
              .mapToObj(i -> create(cloud, new Posts(cloud.unlimited()), "liked" + i, "well"))
              .toList();
      assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
      var posts = new Posts(cloud.table());
      var likes = new Likes(cloud.table());
      var written = new ArrayList<Post>();
      var delays =
          delaysOfOthers(
              cloud,
              storm,
              () -> {
                cloud.load(
                    POSTS_IN_THE_FIRST_SECOND,
                    Duration.ofSeconds(1),
                    _ -> written.add(create(cloud, posts, "busy", "burst")));
                cloud.load(
                    postsASecond, storm, _ -> written.add(create(cloud, posts, "busy", "more")));
                cloud.load(FLOOD, storm, i -> likes.add(like(cloud, liked.get(i), "busy")));
              });
      System.out.printf(
          "author with %d followers: %d posts; %s%n", followers, written.size(), delays);
      assertThat(written)
          .hasSizeGreaterThanOrEqualTo(
              (int) (POSTS_IN_THE_FIRST_SECOND + postsASecond * storm.toSeconds()))
          .allSatisfy(post -> assertThat(holders(cloud, post)).isEqualTo(1 + followers));
      return delays;
    }
  }

  /**
   * A caller likes one post and takes it back, ten times as often as the limit of requests admits.
   */
  @ParameterizedTest
  @ValueSource(ints = {10, FLOOD})
  void caller_whoLikesAndUnlikes_delaysNoOneElse(int perSecond) {
    var delays = likesAndUnlikes(perSecond, new MultiplexerSubject());
    assertUndisturbed(delays);
  }

  /** The planted bug: each like and each unlike is applied by itself. */
  @Test
  void caller_whoLikesAndUnlikes_whereLikesDoNotCollapse_isFoundOut() {
    var delays = likesAndUnlikes(FLOOD, withoutCollapsing());
    assertThat(delays.busy(0.99)).isGreaterThan(delays.bound(0.99));
  }

  private Delays likesAndUnlikes(int perSecond, MultiplexerSubject subject) {
    var storm = Duration.ofSeconds(6L * TIMES);
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, subject)) {
      users(cloud, "author", "flooder");
      var post = create(cloud, new Posts(cloud.unlimited()), "author", "liked");
      var likes = new Likes(cloud.table());
      var delays =
          delaysOfOthers(
              cloud,
              storm,
              () ->
                  cloud.load(
                      perSecond,
                      storm,
                      i -> {
                        if (i % 2 == 0) {
                          likes.add(like(cloud, post, "flooder"));
                        } else {
                          likes.remove(post.postId(), "flooder");
                        }
                      }));
      var notified =
          new Notifications(cloud.unlimited(), clock(cloud))
              .all("author", PageRequest.first(50))
              .items();
      boolean isLiked =
          !new Likes(cloud.unlimited()).likedBy("flooder", List.of(post.postId())).isEmpty();
      System.out.printf(
          "likes and unlikes, %d a second: %s; liked at the end: %s, %d notifications%n",
          perSecond, delays, isLiked, notified.size());
      assertThat(notified).hasSize(isLiked ? 1 : 0);
      return delays;
    }
  }

  private static MultiplexerSubject withoutCollapsing() {
    return new MultiplexerSubject() {
      @Override
      public StreamFunction function(Table table, VirtualTime time, Scale scale, Sinks sinks) {
        var sound = super.function(table, time, scale, sinks);
        return event -> {
          if (event.getShardId() != null) {
            return sound.handle(event);
          }
          var likes = event.getRecords().stream().filter(ITCloudNeighbors::isOfALike).toList();
          var others = new ArrayList<>(event.getRecords());
          others.removeAll(likes);
          time.runTogether(
              List.of(
                  () -> likes.forEach(like -> handle(sound, event, List.of(like))),
                  () -> handle(sound, event, others)));
          return null;
        };
      }
    };
  }

  private static void handle(
      StreamFunction function, DynamodbTimeWindowEvent of, List<DynamodbStreamRecord> records) {
    try {
      var answer = requireNonNull(function.handle(PlantedBug.part(of, records)));
      assertThat(answer.getBatchItemFailures()).isEmpty();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isOfALike(DynamodbStreamRecord record) {
    return sortKey(record).startsWith("LIKE#");
  }

  private static String sortKey(DynamodbStreamRecord record) {
    return requireNonNull(record.getDynamodb().getKeys().get(BaseTable.SK)).getS();
  }

  private static MultiplexerSubject withoutVersions() {
    return new MultiplexerSubject() {
      @Override
      public StreamFunction function(Table sound, VirtualTime time, Scale scale, Sinks sinks) {
        var bug = new HiddenAttribute(Post.VISIBILITY_VERSION);
        var table = WiredClient.table(sound, bug);
        return super.function(table, time, scale, sinks);
      }
    };
  }

  /** Lets a caller hide and show one post. */
  private Delays flood(int followers, double perSecond, MultiplexerSubject subject) {
    var storm = Duration.ofSeconds(6L * TIMES);
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, subject)) {
      userWithFans(cloud, "flooder", followers);
      var posts = new Posts(cloud.table());
      var post = create(cloud, new Posts(cloud.unlimited()), "flooder", "on and off");
      var before = new double[1];
      var delays =
          delaysOfOthers(
              cloud,
              storm,
              () -> {
                before[0] = cloud.throughput().writeUnits();
                cloud.load(
                    perSecond,
                    storm,
                    i ->
                        posts.changeVisibility(
                            post.postId(),
                            "flooder",
                            i % 2 == 0 ? Visibility.PRIVATE : Visibility.PUBLIC));
              });
      var last = new Posts(cloud.unlimited()).get(post.postId()).orElseThrow();
      int entries = holders(cloud, last);
      System.out.printf(
          "flood of %.0f a second with %d followers: posts of others delivered within %s (99 %%),"
              + " without it within %s; longest batch %s; %.0f write units; %d entries of a post"
              + " that is %s%n",
          perSecond,
          followers,
          delays.busy(0.99),
          delays.quiet(0.99),
          cloud.effects().handled().stream()
              .map(CloudLane.Handled::delay)
              .max(Duration::compareTo)
              .orElseThrow(),
          cloud.throughput().writeUnits() - before[0],
          entries,
          last.visibility());
      assertThat(entries).isEqualTo(last.visibility() == Visibility.PRIVATE ? 1 : 1 + followers);
      return delays;
    }
  }

  private static int holders(Cloud cloud, Post post) {
    return new HomeFeeds(cloud.unlimited()).holders(post.postId(), post.feedShards()).size();
  }
}
