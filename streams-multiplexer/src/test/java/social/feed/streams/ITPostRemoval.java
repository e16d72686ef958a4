package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.CleanUpPostHandler.CleanUpPost;
import social.feed.streams.effect.WriteTagsHandler.WriteTags;
import social.feed.streams.plan.Lane;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Visibility;

/** A post of many leaves in parts of three rows, each ordered by the one before. */
class ITPostRemoval extends PartsScenario {
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
    apply(new CleanUpPost(post));
    assertThat(holders(post)).isEqualTo(FANS + 1 - PART);
    var first = order(post, Cause.DELETED).orElseThrow();

    apply(part(first));
    assertThat(holders(post)).isEqualTo(FANS + 1 - 2 * PART);
    apply(part(first));
    assertThat(holders(post)).as("by an order that was carried out").isEqualTo(FANS + 1 - 2 * PART);

    apply(new CleanUpPost(post));
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
    apply(new CleanUpPost(post));
    apply(new WriteTags(post));

    continueAll(post, Cause.DELETED);
    assertGone(post);
  }

  @Test
  void postOfFew_leavesNoOrder() {
    fans.subList(1, FANS).forEach(fan -> fan.unfollows(ann));
    var post = ann.posts("to one");
    harness.drain();
    harness.pause();
    ann.deletes(post);
    apply(new CleanUpPost(post));
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
    apply(new ChangeVisibility(hidden));
    var order = order(post, Cause.HIDDEN).orElseThrow();
    change(post, Visibility.PUBLIC);
    int before = holders(post);

    apply(part(order));
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
    apply(new ChangeVisibility(hidden));
    var order = order(post, Cause.HIDDEN).orElseThrow();
    harness.between.before(
        PartsScenario::removesInBulk,
        () -> {
          var shown = change(post, Visibility.PUBLIC);
          apply(new ChangeVisibility(shown));
        });

    apply(part(order));
    assertThat(harness.between.happened()).isTrue();
    harness.resume();
    harness.drain();
    assertThat(holders(post)).isEqualTo(FANS + 1);
    assertThat(order(post, Cause.HIDDEN)).isEmpty();
  }

  /** The effect of the change came before, and the attempt ended before it wrote them again. */
  @Test
  void postThatIsShown_whoseEntriesAPartRemovedBeforeItWasCutOff_isInAllFeeds() {
    var post = popular();
    harness.pause();
    apply(new ChangeVisibility(change(post, Visibility.PRIVATE)));
    var order = order(post, Cause.HIDDEN).orElseThrow();
    change(post, Visibility.PUBLIC);
    harness.resume();
    harness.drain();
    harness.table.table().deleteAll(List.of(FeedEntry.of(post.ref(), fans.getFirst().id()).key()));
    assertThat(holders(post)).isEqualTo(FANS);

    // The part comes again.
    harness.table.table().putAll(List.of(order));
    harness.drain();
    assertThat(holders(post)).isEqualTo(FANS + 1);
    assertThat(order(post, Cause.HIDDEN)).isEmpty();
  }

  @Test
  void postThatIsDeletedBetweenParts_isGone() {
    var post = popular();
    harness.pause();
    var hidden = change(post, Visibility.PRIVATE);
    apply(new ChangeVisibility(hidden));
    ann.deletes(post);
    harness.resume();
    harness.drain();
    assertGone(post);
    assertThat(order(post, Cause.HIDDEN)).isEmpty();
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

  private int holders(Post post) {
    return harness.world.feeds.holders(post.postId(), post.feedShards()).size();
  }

  private void assertGone(Post post) {
    assertThat(harness.rows())
        .filteredOn(row -> !(row instanceof ProcessedEvent))
        .noneMatch(row -> row.key().partition().contains(post.postId()));
  }
}
