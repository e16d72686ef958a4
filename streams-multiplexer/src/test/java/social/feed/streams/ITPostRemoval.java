package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.CleanUpPostHandler.CleanUpPost;
import social.feed.streams.effect.ContinueCleanUpHandler.ContinueCleanUp;
import social.feed.streams.effect.WriteTagsHandler.WriteTags;
import social.feed.streams.plan.Lane;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;

/** A post of many leaves in parts of three rows, each ordered by the one before. */
class ITPostRemoval {
  private static final int PART = 3;
  private static final int FANS = 8;

  private StreamHarness harness;
  private Person ann;
  private List<Person> fans;

  @BeforeEach
  void start() {
    harness = StreamHarness.startTraced(PART, Optional.empty());
    ann = harness.world.user("ann");
    fans = IntStream.range(0, FANS).mapToObj(i -> harness.world.user("fan" + i)).toList();
    fans.forEach(fan -> fan.follows(ann));
    harness.drain();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void deletedPost_isGone_andSoAreTheOrders_alsoAfterAReplay() {
    var post = popular();
    var other = popular();

    ann.deletes(post);
    harness.drain();
    assertGone(post);
    assertThat(holders(other)).isEqualTo(FANS + 1);

    harness.replay(Lane.EFFECTS);
    assertGone(post);
    assertThat(holders(other)).isEqualTo(FANS + 1);
    assertThat(harness.world.posts.get(other.postId()).orElseThrow().likesCount()).isEqualTo(FANS);
    assertThat(harness.deadLetters).isEmpty();
  }

  /** Each call of a handler removes a part, and no more. */
  @Test
  void eachPart_removesItsRows_andOrdersTheNext_once() {
    var post = popular();
    harness.pause();
    ann.deletes(post);
    harness.handlers.apply(List.of(new CleanUpPost(post)));
    assertThat(holders(post)).isEqualTo(FANS + 1 - PART);
    var first = order(post, Cause.DELETED).orElseThrow();

    harness.handlers.apply(List.of(part(first)));
    assertThat(holders(post)).isEqualTo(FANS + 1 - 2 * PART);
    harness.handlers.apply(List.of(part(first)));
    assertThat(holders(post)).as("by an order that was carried out").isEqualTo(FANS + 1 - 2 * PART);

    harness.handlers.apply(List.of(new CleanUpPost(post)));
    assertThat(holders(post)).as("by a replay of the deletion").isEqualTo(0);
    assertThat(order(post, Cause.DELETED).orElseThrow().revision())
        .isGreaterThan(first.revision() + 1);
    harness.resume();
    harness.drain();
    assertGone(post);
  }

  /** As a redrive of its dead letter does, which comes when the removal is under way. */
  @Test
  void tagsOfADeletedPost_thatComeLate_leaveNoEntry() {
    var post = popular();
    harness.pause();
    ann.deletes(post);
    harness.handlers.apply(List.of(new CleanUpPost(post)));
    harness.handlers.apply(List.of(new WriteTags(post)));

    var next = order(post, Cause.DELETED);
    while (next.isPresent()) {
      harness.handlers.apply(List.of(part(next.get())));
      next = order(post, Cause.DELETED);
    }
    assertGone(post);
  }

  @Test
  void postOfFew_leavesNoOrder() {
    fans.subList(1, FANS).forEach(fan -> fan.unfollows(ann));
    var post = ann.posts("to one");
    harness.drain();
    harness.pause();
    ann.deletes(post);
    harness.handlers.apply(List.of(new CleanUpPost(post)));
    assertThat(order(post, Cause.DELETED)).isEmpty();
    assertGone(post);
  }

  @Test
  void hiddenPost_staysInTheAuthorsFeedOnly_andComesBack() {
    var post = popular();
    change(post, Visibility.PRIVATE);
    harness.drain();
    assertThat(holders(post)).isEqualTo(1);
    assertThat(order(post, Cause.HIDDEN)).isEmpty();

    change(post, Visibility.PUBLIC);
    harness.drain();
    assertThat(holders(post)).isEqualTo(FANS + 1);
    harness.replay(Lane.EFFECTS);
    assertThat(holders(post)).isEqualTo(FANS + 1);
  }

  /** The rest is left to the change that shows it. */
  @Test
  void postThatIsShownBetweenParts_isInAllFeeds() {
    var post = popular();
    harness.pause();
    var hidden = change(post, Visibility.PRIVATE);
    harness.handlers.apply(List.of(new ChangeVisibility(hidden)));
    var order = order(post, Cause.HIDDEN).orElseThrow();
    change(post, Visibility.PUBLIC);
    int before = holders(post);

    harness.handlers.apply(List.of(part(order)));
    assertThat(holders(post)).isEqualTo(before);
    assertThat(order(post, Cause.HIDDEN)).isEmpty();
    harness.resume();
    harness.drain();
    assertThat(holders(post)).isEqualTo(FANS + 1);
  }

  /** Another function has shown it while this one removes a part. */
  @Test
  void postThatIsShownDuringAPart_isInAllFeeds() {
    var post = popular();
    harness.pause();
    var hidden = change(post, Visibility.PRIVATE);
    harness.handlers.apply(List.of(new ChangeVisibility(hidden)));
    var order = order(post, Cause.HIDDEN).orElseThrow();
    harness.between.before(
        ITPostRemoval::removesInBulk,
        () -> {
          var shown = change(post, Visibility.PUBLIC);
          harness.handlers.apply(List.of(new ChangeVisibility(shown)));
        });

    harness.handlers.apply(List.of(part(order)));
    assertThat(harness.between.happened()).isTrue();
    harness.resume();
    harness.drain();
    assertThat(holders(post)).isEqualTo(FANS + 1);
    assertThat(order(post, Cause.HIDDEN)).isEmpty();
  }

  @Test
  void postThatIsDeletedBetweenParts_isGone() {
    var post = popular();
    harness.pause();
    var hidden = change(post, Visibility.PRIVATE);
    harness.handlers.apply(List.of(new ChangeVisibility(hidden)));
    ann.deletes(post);
    harness.resume();
    harness.drain();
    assertGone(post);
    assertThat(order(post, Cause.HIDDEN)).isEmpty();
  }

  private static boolean removesInBulk(SdkRequest request) {
    return request instanceof BatchWriteItemRequest batch
        && batch.requestItems().values().stream()
            .flatMap(List::stream)
            .anyMatch(write -> write.deleteRequest() != null);
  }

  private static ContinueCleanUp part(PostCleanUp order) {
    return new ContinueCleanUp(
        order.postId(), order.cause(), order.revision(), StreamHarness.NOTIFICATIONS_LIVE);
  }

  private Post popular() {
    var post = ann.posts("hello #sea");
    harness.drain();
    fans.forEach(fan -> fan.likes(post));
    fans.getFirst().comments(post, "hello");
    harness.drain();
    assertThat(holders(post)).isEqualTo(FANS + 1);
    return post;
  }

  private Post change(Post post, Visibility visibility) {
    return harness.world.posts.changeVisibility(post.postId(), ann.id(), visibility).orElseThrow();
  }

  private int holders(Post post) {
    return harness.world.feeds.holders(post.postId(), post.feedShards()).size();
  }

  private Optional<PostCleanUp> order(Post post, Cause cause) {
    return harness.rows().stream()
        .filter(row -> row.key().equals(PostCleanUp.key(post.postId(), cause)))
        .map(PostCleanUp.class::cast)
        .findFirst();
  }

  private void assertGone(Post post) {
    assertThat(harness.rows())
        .filteredOn(row -> !(row instanceof ProcessedEvent))
        .noneMatch(row -> row.key().partition().contains(post.postId()));
  }
}
