package social.feed.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.table.engagement.Likes;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Table;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.HiddenAttribute;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.fault.WiredClient;
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
}
