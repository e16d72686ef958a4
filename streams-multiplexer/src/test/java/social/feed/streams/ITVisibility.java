package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;

/** Feeds and tag rows after a change of a post's visibility. */
class ITVisibility {
  private StreamHarness harness;
  private Person ann;
  private Person bob;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    bob.follows(ann);
    harness.drain();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void postThatBecomesPrivate_staysInTheAuthorsFeedOnly() {
    var post = ann.posts("hello #sea");
    harness.drain();
    assertShown(post);

    change(post, Visibility.PRIVATE);
    harness.drain();

    assertHidden(post);
  }

  @Test
  void privatePostThatBecomesPublic_isDelivered_atItsOwnTime() {
    var post = ann.posts("hello #sea", Visibility.PRIVATE);
    var later = ann.posts("later");
    harness.drain();
    assertHidden(post);

    change(post, Visibility.PUBLIC);
    harness.drain();

    assertThat(harness.feed(bob)).containsExactly(later.postId(), post.postId());
    assertThat(tagged()).containsExactly(post.postId());
  }

  /** Feeds read posts of 90 days from their authors, and TTL deletes the entries a day later. */
  @Test
  void privatePostThatBecomesPublicAfterItsEntriesExpire_isNotDelivered() {
    var post = ann.posts("hello #sea", Visibility.PRIVATE);
    harness.drain();
    harness.table.clock().advance(FeedEntry.KEPT.plusHours(23));
    change(post, Visibility.PUBLIC);
    harness.drain();
    assertThat(harness.feed(bob)).containsExactly(post.postId());

    change(post, Visibility.PRIVATE);
    harness.drain();
    assertHidden(post);
    harness.table.clock().advance(Duration.ofHours(2));
    change(post, Visibility.PUBLIC);
    harness.drain();

    assertThat(harness.feed(bob)).isEmpty();
    assertThat(tagged()).containsExactly(post.postId());
  }

  @Test
  void postForFollowers_hasNoTagRows_andStaysInFeeds() {
    var post = ann.posts("hello #sea");
    harness.drain();

    change(post, Visibility.FOLLOWERS);
    harness.drain();

    assertThat(harness.feed(bob)).containsExactly(post.postId());
    assertThat(tagged()).isEmpty();
  }

  @Test
  void postThatIsShownAgain_whileAnOldRecordRemovesIt_staysInFeeds() {
    var post = ann.posts("hello #sea");
    harness.drain();
    harness.pause();
    change(post, Visibility.PRIVATE);
    harness.between.before(
        ITVisibility::withdrawsInBulk,
        () -> {
          change(post, Visibility.PUBLIC);
          harness.handlers.apply(List.of(new ChangeVisibility(post)));
        });

    harness.handlers.apply(List.of(new FanOut(post)));

    assertThat(harness.between.happened()).isTrue();
    assertThat(harness.feed(bob)).containsExactly(post.postId());
  }

  @Test
  void change_duringFanOut_isDetected() {
    harness.between.after(StreamHarness::writesInBulk, () -> change(newest(), Visibility.PRIVATE));
    var post = ann.posts("hello #sea");
    harness.drain();

    assertThat(harness.between.happened()).isTrue();
    assertHidden(post);
  }

  @Test
  void change_whileAnEarlierOneIsApplied_wins() {
    var post = ann.posts("hello #sea", Visibility.PRIVATE);
    harness.drain();
    harness.between.after(StreamHarness::writesInBulk, () -> change(post, Visibility.PRIVATE));
    change(post, Visibility.PUBLIC);
    harness.drain();

    assertThat(harness.between.happened()).isTrue();
    assertHidden(post);
  }

  @Test
  void delete_whileAChangeIsApplied_leavesNothing() {
    var post = ann.posts("hello #sea", Visibility.PRIVATE);
    harness.drain();
    harness.between.after(StreamHarness::writesInBulk, () -> ann.deletes(post));
    change(post, Visibility.PUBLIC);
    harness.drain();

    assertThat(harness.between.happened()).isTrue();
    assertThat(harness.rows())
        .filteredOn(row -> !(row instanceof ProcessedEvent))
        .noneMatch(row -> row.key().partition().contains(post.postId()));
  }

  @Test
  void change_duringABackfill_isDetected() {
    var post = ann.posts("hello");
    harness.drain();
    bob.unfollows(ann);
    harness.drain();
    harness.between.after(
        request -> StreamHarness.writes(request, bob), () -> change(post, Visibility.PRIVATE));
    bob.follows(ann);
    harness.drain();

    assertThat(harness.between.happened()).isTrue();
    assertThat(harness.feed(bob)).isEmpty();
  }

  @Test
  void mentionedAccounts_areNotifiedWhileTheyMayRead_andAReadNotificationStaysRead() {
    var cid = harness.world.user("cid");
    var handles = "@" + bob.account().handle() + " @" + cid.account().handle();
    var post = ann.posts("hello " + handles, Visibility.PRIVATE);
    harness.drain();
    assertThat(unread(bob) + unread(cid)).isZero();

    change(post, Visibility.PUBLIC);
    harness.drain();
    assertThat(unread(bob)).isEqualTo(1);
    assertThat(unread(cid)).isEqualTo(1);
    harness.world.notifications.markAllRead(bob.id(), harness.table.clock().instant());

    change(post, Visibility.FOLLOWERS);
    harness.drain();
    assertThat(unread(cid)).as("a reader who does not follow").isZero();
    harness.replay(Lane.EFFECTS);
    assertThat(unread(bob)).as("after a replay").isZero();
    assertThat(unread(cid)).isZero();

    change(post, Visibility.PRIVATE);
    harness.drain();
    assertThat(harness.world.notifications.all(bob.id(), PageRequest.first(5)).items()).isEmpty();
  }

  /** Otherwise the effects of the post wait for one that has been applied. */
  @Test
  void noteOfAnEarlierChange_thatComesLate_leavesThatOfTheLast() {
    harness.pause();
    var post = ann.posts("hello", Visibility.PRIVATE);
    var posts = harness.world.posts;
    var first = posts.changeVisibility(post.postId(), ann.id(), Visibility.PUBLIC).orElseThrow();
    var last = posts.changeVisibility(post.postId(), ann.id(), Visibility.PRIVATE).orElseThrow();
    assertThat(last.awaitsReflectionSince(first)).isTrue();

    posts.beginReflection(last);
    posts.beginReflection(first);

    assertThat(posts.get(post.postId()).orElseThrow().awaitsReflection()).isFalse();
  }

  /** Otherwise the effects of the post wait for one that never comes. */
  @Test
  void change_thatBecameADeadLetter_countsAsBegun() {
    var post = ann.posts("hello", Visibility.PRIVATE);
    harness.drain();
    harness.pause();
    change(post, Visibility.PUBLIC);
    var shown = harness.world.posts.get(post.postId()).orElseThrow();
    assertThat(shown.awaitsReflection()).isTrue();

    harness.handlers.deadLettered(new ChangeVisibility(shown));

    assertThat(harness.world.posts.get(post.postId()).orElseThrow().awaitsReflection()).isFalse();
  }

  @Test
  void largeAudience_isCutAgain() {
    var followers = IntStream.range(0, 510).mapToObj(i -> harness.world.user("f" + i)).toList();
    harness.pause();
    followers.forEach(follower -> follower.follows(ann));
    harness.resume();
    harness.drain();
    var post = ann.posts("hello", Visibility.PRIVATE);
    harness.drain();
    change(post, Visibility.PUBLIC);
    harness.drain();
    assertThat(entries(post)).isEqualTo(510 + 1 + 1);
    change(post, Visibility.PRIVATE);
    harness.drain();
    assertThat(entries(post)).isEqualTo(1);
    change(post, Visibility.FOLLOWERS);
    harness.drain();
    assertThat(entries(post)).isEqualTo(510 + 1 + 1);
  }

  @Test
  void manyChanges_andReplays_leaveTheLastState() {
    var random = new Random(3);
    var posts = List.of(ann.posts("1 #sea"), ann.posts("2 #sea"), ann.posts("3 #sea"));
    for (int round = 0; round < 12; round++) {
      var post = posts.get(random.nextInt(posts.size()));
      change(post, Visibility.values()[random.nextInt(Visibility.values().length)]);
      if (random.nextBoolean()) {
        harness.drain();
      }
      if (random.nextInt(4) == 0) {
        harness.replay(Lane.EFFECTS);
      }
    }
    harness.drain();
    assertReflected(posts);
    harness.replay(Lane.EFFECTS);
    assertReflected(posts);
    assertThat(harness.deadLetters).isEmpty();
  }

  private void assertReflected(List<Post> posts) {
    for (var post : posts) {
      var now = harness.world.posts.get(post.postId()).orElseThrow().visibility();
      assertThat(harness.feed(bob).contains(post.postId())).isEqualTo(now != Visibility.PRIVATE);
      assertThat(tagged().contains(post.postId())).isEqualTo(now == Visibility.PUBLIC);
      assertThat(harness.feed(ann)).contains(post.postId());
    }
  }

  private void assertShown(Post post) {
    assertThat(harness.feed(bob)).contains(post.postId());
    assertThat(tagged()).contains(post.postId());
  }

  private void assertHidden(Post post) {
    assertThat(harness.feed(bob)).doesNotContain(post.postId());
    assertThat(harness.feed(ann)).contains(post.postId());
    assertThat(tagged()).doesNotContain(post.postId());
  }

  private void change(Post post, Visibility visibility) {
    assertThat(harness.world.posts.changeVisibility(post.postId(), ann.id(), visibility))
        .hasValueSatisfying(now -> assertThat(now.visibility()).isEqualTo(visibility));
  }

  private Post newest() {
    var newest = harness.world.posts.ofAuthor(ann.id(), PageRequest.first(1)).items();
    return harness.world.posts.get(newest.getFirst().postId()).orElseThrow();
  }

  private long unread(Person user) {
    return harness.world.notifications.unreadCount(user.id());
  }

  private List<String> tagged() {
    return harness.world.posts.withTag("sea", PageRequest.first(50)).items().stream()
        .map(PostRef::postId)
        .toList();
  }

  private long entries(Post post) {
    return harness.rows().stream()
        .filter(FeedEntry.class::isInstance)
        .filter(row -> row.key().partition().contains(post.postId()))
        .count();
  }

  private static boolean withdrawsInBulk(SdkRequest request) {
    return request instanceof BatchWriteItemRequest batch
        && batch.requestItems().values().stream()
            .flatMap(List::stream)
            .anyMatch(write -> write.deleteRequest() != null);
  }
}
