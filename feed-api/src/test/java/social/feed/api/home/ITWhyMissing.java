package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.home.FanOuts;
import social.feed.table.home.FeedActivities;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITWhyMissing {
  private static final long LATER = 4_000_000_000L;

  private final FeedServer server;
  private final SeedWorld world;
  private final FanOuts fanOuts;
  private final Person ann;
  private final Person bob;
  private final Api caller;

  ITWhyMissing(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.fanOuts = new FanOuts(server.table().table());
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  private Answer ask(String postId) {
    return Expect.status(200, caller.get("/v1/feed/why-missing?post_id=" + postId));
  }

  private void assertReason(String reason, Post post) {
    Answer answer = ask(post.postId());
    assertThat(answer.at("reason")).isEqualTo(reason);
    assertThat(answer.at("detail")).endsWith(".");
  }

  @Test
  void invisiblePost_isUnavailable() {
    ann.follows(bob);
    Post deleted = bob.posts("x");
    bob.deletes(deleted);

    assertReason("unavailable", deleted);
    assertReason("unavailable", bob.posts("x", Visibility.PRIVATE));
    assertThat(ask("nothing").at("reason")).isEqualTo("unavailable");
    Expect.blames(400, "post_id", caller.get("/v1/feed/why-missing"));
    Expect.blames(400, "post_id", caller.get("/v1/feed/why-missing?post_id=a%23b"));
  }

  @Test
  void withoutFollowOrBeforeRetention_isNotFollowedOrAfterUnfollow() {
    assertReason("not_followed", bob.posts("x"));
    ann.follows(bob);
    Post kept = bob.posts("kept");
    ann.unfollowsKeepingHistory(bob);
    assertReason("delivery_pending", kept);
    assertReason("after_unfollow", bob.posts("later"));
  }

  @Test
  void keptPost_ofAMutedAuthor_isMuted() {
    ann.follows(bob);
    Post kept = bob.posts("kept");
    ann.unfollowsKeepingHistory(bob);
    world.feeds.deliver(List.of(FeedEntry.of(kept.ref(), ann.id())));
    assertReason("present", kept);
    ann.mutes(bob);

    assertReason("muted", kept);
  }

  @Test
  void delivered_isPresent_alsoOwnPost() {
    ann.follows(bob);
    Post post = bob.posts("x");
    Post own = ann.posts("own");
    assertReason("delivery_pending", own);
    world.feeds.deliver(
        List.of(FeedEntry.of(post.ref(), ann.id()), FeedEntry.of(own.ref(), ann.id())));

    assertReason("present", post);
    assertReason("present", own);
  }

  @Test
  void olderThanTheBackfill_isBeforeFollow() {
    Post old = bob.posts("old");
    Follow edge = ann.follows(bob);
    assertReason("delivery_pending", old);
    world.follows.noteBackfilled(edge, old.createdAt().plus(Duration.ofSeconds(1)));

    assertReason("before_follow", old);
  }

  @Test
  void undelivered_isPendingFailedOrLost() {
    ann.follows(bob);
    Post post = bob.posts("x");
    FanOutPlan plan = FanOutPlan.begun(post.postId(), "one", post.createdAt(), LATER);
    FanOutChunk chunk = FanOutChunk.of(plan, post, 0, "a", "z", 500);
    fanOuts.begin(plan);
    fanOuts.add(chunk);
    assertReason("delivery_pending", post);
    assertThat(ask(post.postId()).at("delivery", "planned")).isEqualTo("500");

    fanOuts.complete(plan.planned(1, post.createdAt()));
    fanOuts.end(chunk, ChunkOutcome.FAILED, 0, 0, post.createdAt());
    assertReason("delivery_failed", post);

    fanOuts.end(chunk, ChunkOutcome.DELIVERED, 500, 0, post.createdAt());
    assertReason("lost", post);

    Post failed = bob.posts("y");
    fanOuts.fail(
        FanOutPlan.begun(failed.postId(), "one", failed.createdAt(), LATER)
            .failed(failed.createdAt()));
    assertReason("delivery_failed", failed);
    assertThat(server.as(bob).get("/v1/posts/" + failed.postId() + "/delivery").at("state"))
        .isEqualTo("failed");
  }

  @Test
  void explain_namesTheReasonOfEachEntry() {
    Person carol = world.user("carol");
    ann.follows(bob);
    ann.follows(carol);
    for (Post post : List.of(ann.posts("own"), bob.posts("x"), carol.posts("y"))) {
      world.feeds.deliver(List.of(FeedEntry.of(post.ref(), ann.id())));
    }
    ann.unfollowsKeepingHistory(carol);

    assertThat(caller.get("/v1/feed").text()).doesNotContain("explain");
    String explained = Expect.status(200, caller.get("/v1/feed?explain=true")).text();
    assertThat(explained)
        .contains("\"explain\":{\"reason\":\"own\",\"mode\":\"push\"}")
        .contains("\"explain\":{\"reason\":\"followed\",\"mode\":\"push\"}")
        .contains("\"explain\":{\"reason\":\"kept_history\",\"mode\":\"push\"}");
    Expect.blames(400, "explain", caller.get("/v1/feed?explain=perhaps"));
  }

  /** A follower who never opens the feed is inactive since the follow. */
  @Test
  void notDelivered_toFollowerWhoNeverRead_isNotReadForLong() {
    var longAgo = ann.account().createdAt().minus(Duration.ofDays(40));
    world.followWriter.follow(Follow.of(ann.id(), bob.id(), longAgo));

    assertReason("not_read_for_long", bob.posts("never read"));
  }

  @Test
  void ownPost_ofDormantReader_isPending() {
    var lastRead = ann.account().createdAt().minus(Duration.ofDays(40));
    new FeedActivities(server.table().table())
        .read(ann.id(), lastRead, () -> Optional.of(lastRead));

    assertReason("delivery_pending", ann.posts("own"));
  }

  /** The backfill will deliver it; it is neither too old nor present. */
  @Test
  void olderThanAFollow_beforeItsBackfill_isPending() {
    var past = new SeedWorld(server.table().table(), server.table().clock());
    var old = past.by(bob).posts("old");
    world.followWriter.follow(Follow.of(ann.id(), bob.id(), bob.account().createdAt()));

    assertReason("delivery_pending", old);
    FanOutPlan plan = FanOutPlan.begun(old.postId(), "one", old.createdAt(), LATER);
    fanOuts.begin(plan);
    fanOuts.complete(plan.planned(0, old.createdAt()));
    assertReason("delivery_pending", old);
  }

  /** By then the dead letter of the follow has expired. */
  @Test
  void olderThanAFollow_longAfterAMissingBackfill_isLost() {
    var followedAt = server.table().clock().instant().minus(Duration.ofDays(16));
    var before = Clock.fixed(followedAt.minusSeconds(1), ZoneOffset.UTC);
    var old = new SeedWorld(server.table().table(), before).by(bob).posts("old");
    world.followWriter.follow(Follow.of(ann.id(), bob.id(), followedAt));

    assertReason("lost", old);
  }

  @Test
  void notStored_becauseOfAgeOrAbsence_namesTheCause() {
    var edge = Follow.of(ann.id(), bob.id(), server.table().clock().instant());
    world.followWriter.follow(edge);
    var past = new SeedWorld(server.table().table(), server.table().clock());
    var old = past.by(bob).posts("old");
    world.follows.noteBackfilled(edge, old.createdAt());
    assertReason("beyond_bound", old);

    var activities = new FeedActivities(server.table().table());
    var lastRead = ann.account().createdAt().minus(Duration.ofDays(40));
    activities.read(ann.id(), lastRead, () -> Optional.of(lastRead));
    Post left = bob.posts("while away");
    assertReason("not_read_for_long", left);
    caller.get("/v1/feed");
    assertReason("beyond_bound", left);
  }

  /**
   * The backfill delivered no older posts, so neither the feed nor a page of the author has any.
   */
  @Test
  void olderThanAKeptHistory_isBeforeFollow() {
    Post ancient = posted(100);
    Post older = posted(80);
    Post newest = posted(20);
    Follow edge = followed(10);
    world.follows.noteBackfilled(edge, newest.createdAt());
    unfollowedKeepingHistory(1);

    assertReason("before_follow", older);
    assertReason("before_follow", ancient);
  }

  /** As after a time in which it was private: nothing brings it back, so it is no defect. */
  @Test
  void keptPost_thatLeftTheFeed_isAfterUnfollow() {
    Post kept = posted(20);
    Post failed = posted(19);
    world.follows.noteBackfilled(followed(10), kept.createdAt());
    unfollowedKeepingHistory(1);
    fanOuts.fail(
        FanOutPlan.begun(failed.postId(), "one", failed.createdAt(), LATER)
            .failed(failed.createdAt()));

    assertReason("after_unfollow", kept);
    assertReason("after_unfollow", failed);
  }

  @Test
  void keptPost_ofAnAuthorWhomTheReaderFollowsAgain_isOfTheKeptHistory() {
    followed(110);
    Post read = posted(100);
    Post left = posted(80);
    unfollowedKeepingHistory(70);
    Post between = posted(60);
    Follow again = followed(10);
    assertReason("beyond_bound", read);
    assertReason("delivery_pending", left);
    world.follows.noteBackfilled(again, again.createdAt());

    assertReason("beyond_bound", read);
    assertReason("after_unfollow", left);
    assertReason("before_follow", between);
  }

  private Post posted(int daysAgo) {
    var past = new SeedWorld(server.table().table(), Clock.fixed(at(daysAgo), ZoneOffset.UTC));
    return past.by(bob).posts("x");
  }

  private Follow followed(int daysAgo) {
    var edge = Follow.of(ann.id(), bob.id(), at(daysAgo));
    world.followWriter.follow(edge);
    return edge;
  }

  private void unfollowedKeepingHistory(int daysAgo) {
    world.followWriter.unfollowKeepingHistory(ann.id(), bob.id(), at(daysAgo));
  }

  /** By the clock of the server, which is ahead of that of its worlds. */
  private static Instant at(int daysAgo) {
    return Timestamps.now(Clock.systemUTC()).minus(Duration.ofDays(daysAgo));
  }
}
