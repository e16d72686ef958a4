package social.feed.api.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.home.FanOuts;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Post;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITDeliveryStatus {
  private static final long LATER = 4_000_000_000L;

  private final FeedServer server;
  private final FanOuts fanOuts;
  private final Person ann;
  private final Person bob;
  private final Api caller;

  ITDeliveryStatus(FeedServer server, SeedWorld world) {
    this.server = server;
    this.fanOuts = new FanOuts(server.table().table());
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  private Answer delivery(Post post) {
    return Expect.status(200, caller.get(path(post)));
  }

  private static String path(Post post) {
    return "/v1/posts/" + post.postId() + "/delivery";
  }

  private static String state(Answer answer) {
    return "%s %s %s+%s-%s!%s"
        .formatted(
            answer.at("mode"),
            answer.at("state"),
            answer.at("planned"),
            answer.at("written"),
            answer.at("skipped"),
            answer.at("failed"));
  }

  @Test
  void delivery_ofPostOfAnotherOrUnknown_isMissing() {
    Post post = bob.posts("x");

    Expect.problem(404, "not_found", caller.get(path(post)));
    Expect.problem(404, "not_found", caller.get("/v1/posts/nothing/delivery"));
    Expect.problem(401, "unauthenticated", server.anonymous().get(path(post)));
    Expect.blames(400, "id", caller.get("/v1/posts/a%23b/delivery"));
  }

  @Test
  void delivery_beforeTheMultiplexerStarts_isPending() {
    assertThat(state(delivery(written(Instant.now(), FanOutMode.PUSH))))
        .isEqualTo("push pending 0+0-0!0");
  }

  @Test
  void delivery_inOneStep_isDelivered() {
    Post post = ann.posts("x");
    Instant done = post.createdAt().plus(Duration.ofMillis(1_500));
    fanOuts.served(List.of(FanOutPlan.served(post.postId(), 7, 2, done, LATER)));

    Answer answer = delivery(post);

    assertThat(state(answer)).isEqualTo("push delivered 9+7-2!0");
    assertThat(answer.at("lag_seconds")).isEqualTo("1.5");
  }

  @Test
  void delivery_withExpiredPlan_isDelivered() {
    long past = Instant.now().getEpochSecond() - 1;
    Post fresh = written(Instant.now(), FanOutMode.PUSH);
    Post old = written(Instant.now().minus(Duration.ofDays(15)), FanOutMode.PUSH);
    for (Post post : List.of(fresh, old)) {
      fanOuts.served(List.of(FanOutPlan.served(post.postId(), 7, 2, post.createdAt(), past)));
    }

    assertThat(state(delivery(fresh))).isEqualTo("push pending 0+0-0!0");
    assertThat(state(delivery(old))).isEqualTo("push delivered 0+0-0!0");
  }

  @Test
  void delivery_inChunks_goesFromPlanningToDelivered() {
    Post post = ann.posts("x");
    Instant now = post.createdAt();
    FanOutPlan plan = FanOutPlan.begun(post.postId(), "one", now, LATER);
    FanOutChunk one = FanOutChunk.of(plan, post, 0, "a", "b", 500);
    FanOutChunk two = FanOutChunk.of(plan, post, 1, "c", "d", 3);
    fanOuts.begin(plan);
    fanOuts.add(one);
    assertThat(state(delivery(post))).isEqualTo("push planning 500+0-0!0");

    fanOuts.end(one, ChunkOutcome.DELIVERED, 499, 1, now);
    fanOuts.add(two);
    fanOuts.complete(plan.planned(2, now));
    assertThat(state(delivery(post))).isEqualTo("push delivering 503+499-1!0");

    fanOuts.end(two, ChunkOutcome.FAILED, 0, 0, now);
    assertThat(state(delivery(post))).isEqualTo("push failed 503+499-1!3");
    fanOuts.end(two, ChunkOutcome.DELIVERED, 3, 0, now);
    assertThat(state(delivery(post))).isEqualTo("push delivered 503+502-1!0");
  }

  /** As the dead letter of a chunk that is redriven after the post was hidden and shown again. */
  @Test
  void delivery_whoseForgottenPlanHadAChunkOfThatNumber_isThatOfThePresentPlan() {
    Post post = ann.posts("x");
    Instant now = post.createdAt();
    FanOutPlan before = FanOutPlan.begun(post.postId(), "one", now, LATER);
    FanOutChunk late = FanOutChunk.of(before, post, 0, "a", "b", 300);
    FanOutPlan plan = FanOutPlan.begun(post.postId(), "two", now, LATER);
    FanOutChunk chunk = FanOutChunk.of(plan, post, 0, "a", "c", 500);
    fanOuts.begin(plan);
    fanOuts.add(chunk);
    fanOuts.complete(plan.planned(1, now));
    fanOuts.end(chunk, ChunkOutcome.DELIVERED, 500, 0, now);

    fanOuts.end(late, ChunkOutcome.DELIVERED, 300, 0, now);

    assertThat(state(delivery(post))).isEqualTo("push delivered 500+500-0!0");
  }

  @Test
  void delivery_ofAPulledPost_isDelivered() {
    assertThat(state(delivery(written(Instant.now(), FanOutMode.PULL))))
        .isEqualTo("pull delivered 0+0-0!0");
  }

  /** The server uses the machine's clock, and the world does not. */
  private Post written(Instant at, FanOutMode delivery) {
    Post post =
        SamplePosts.by(ann.id(), at.truncatedTo(ChronoUnit.MILLIS))
            .randomId(new Random(1))
            .delivery(delivery)
            .build();
    server.table().table().putAll(List.of(post));
    return post;
  }
}
