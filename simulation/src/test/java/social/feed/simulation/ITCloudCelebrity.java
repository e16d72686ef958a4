package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import social.feed.table.engagement.Comments;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.post.Posts;
import social.feed.table.row.Comment;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.Scale;

/**
 * Posts of others are delivered as before, while an account gains a thousand followers a second.
 */
@LongRunning
class ITCloudCelebrity extends CloudScenario {
  /** By what the load of a star, its limits and its threshold are divided. */
  private static final int STAR_FACTOR = 100;

  private static final int THRESHOLD = 10_000 / STAR_FACTOR;

  /** The new followers of a star in a second, and the comments. */
  private static final int FOLLOWS = 1_000;

  private static final int COMMENTS = 400;

  /** The account becomes a celebrity in the middle of the load. */
  @Test
  void celebrity_gainsAThousandFollowersASecond() {
    var storm = Duration.ofSeconds(12L * TIMES);
    int followers = (int) (FOLLOWS * storm.toSeconds() / STAR_FACTOR);
    int earlier = Math.max(0, THRESHOLD - followers / 2);
    var rise = rise(earlier, 0, storm, ITCloudCelebrity::follow);

    assertThat(rise.notified).isBetween(THRESHOLD - earlier - 1, followers - 1);
    assertUndisturbed(rise.neighbors);
  }

  /** Next to that, comments of its posts notify it. */
  @Test
  void celebrity_whomManyFollowAndComment_delaysNoOneElse() {
    var rise = rise(THRESHOLD, COMMENTS, Duration.ofSeconds(12L * TIMES), ITCloudCelebrity::follow);
    assertUndisturbed(rise.neighbors);
  }

  /** The planted bug: a celebrity is notified of each new follower. */
  @Test
  void celebrity_whoIsNotifiedOfEachFollower_isFoundOut() {
    var rise =
        rise(
            THRESHOLD,
            COMMENTS,
            Duration.ofSeconds(12L * TIMES),
            (cloud, follower) -> Follow.of(follower, "star", now(cloud)));
    assertThat(rise.neighbors.busy(0.99)).isGreaterThan(rise.neighbors.bound(0.99));
  }

  /**
   * What happened next to an account that many follow.
   *
   * @param notified the notifications of the account
   */
  private record Rise(int notified, Delays neighbors) {}

  /** An edge as the API writes it, which reads the account before. */
  private static Follow follow(Cloud cloud, String follower) {
    return Follow.requested(
        follower, new Users(cloud.table()).get("star").orElseThrow(), now(cloud));
  }

  /**
   * Lets an account gain a thousand followers a second. The threshold of celebrities and all loads
   * are divided by the factor, as the limits are.
   *
   * @param earlier the number of followers before
   * @param comments the comments of a post of the account in a second
   */
  private Rise rise(
      int earlier, int comments, Duration storm, BiFunction<Cloud, String, Follow> follow) {
    var scale = new Scale(20, THRESHOLD, 500, 8, EFFECTS_TRACKS);
    try (var cloud = cloud(limits(STAR_FACTOR).split(16), 1, scale)) {
      userWithFans(cloud, "star", earlier);
      var post = create(cloud, new Posts(cloud.unlimited()), "star", "loved");
      int followers = (int) (FOLLOWS * storm.toSeconds() / STAR_FACTOR);
      for (int i = 0; i < followers; i++) {
        users(cloud, "new" + i);
      }
      assertThat(cloud.drain(Duration.ofHours(1))).isTrue();
      var follows = new FollowWriter(cloud.table(), CAP);
      var commented = new Comments(cloud.table());
      var answers = new ArrayList<Cloud.Answers>();
      var delays =
          delaysOfOthers(
              cloud,
              storm,
              () -> {
                answers.add(
                    cloud.load(
                        (double) FOLLOWS / STAR_FACTOR,
                        storm,
                        i -> follows.follow(follow.apply(cloud, "new" + i))));
                answers.add(
                    cloud.load(
                        (double) comments / STAR_FACTOR,
                        storm,
                        i -> commented.add(comment(cloud, post, "reader" + i))));
              });
      var star = new Users(cloud.unlimited()).get("star").orElseThrow();
      int notified =
          new PartitionQueries(cloud.unlimited())
              .keys(Keys.user("star"), Keys.NOTIFICATIONS)
              .mapToInt(List::size)
              .sum();

      System.out.printf(
          "star with %d followers: %d follows done, %d refused, answered within %s (99 %%), %d"
              + " followers counted; %d comments; %d notifications; %s; refused %s%n",
          earlier,
          answers.getFirst().done(),
          answers.getFirst().refused(),
          answers.getFirst().within(0.99),
          star.followersCount(),
          answers.getLast().done(),
          notified,
          delays,
          cloud.throughput().throttled());
      assertThat(star.followersCount()).isEqualTo(earlier + answers.getFirst().done());
      assertThat(star.isCelebrity()).isTrue();
      assertThat(answers).allMatch(load -> load.refusedShare() <= 0.01);
      return new Rise(notified, delays);
    }
  }

  private static Comment comment(Cloud cloud, Post post, String author) {
    var now = now(cloud);
    var id = TimeOrderedId.random(now, new Random(author.hashCode()));
    return new Comment(post.postId(), id, author, post.authorId(), "well", now);
  }
}
