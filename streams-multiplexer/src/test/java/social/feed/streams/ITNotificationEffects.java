package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;

class ITNotificationEffects {
  private StreamHarness harness;
  private Person ann;
  private Person bob;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void followLikeCommentAndMention_notify() {
    var post = ann.posts("hello");
    bob.follows(ann);
    bob.likes(post);
    bob.comments(post, "well");
    bob.posts("hello @" + ann.account().handle());
    harness.drain();
    assertThat(types(ann))
        .containsExactlyInAnyOrder(
            NotificationType.FOLLOW,
            NotificationType.LIKE,
            NotificationType.COMMENT,
            NotificationType.MENTION);
    assertThat(notificationsOf(ann)).allMatch(n -> n.actorId().equals(bob.id()) && !n.read());
    assertThat(notificationsOf(bob)).isEmpty();
  }

  @Test
  void ownActions_doNotNotify() {
    var post = ann.posts("I, @" + ann.account().handle());
    ann.likes(post);
    ann.comments(post, "well");
    harness.drain();
    assertThat(notificationsOf(ann)).isEmpty();
  }

  @Test
  void mentionInAPrivatePost_doesNotNotify() {
    ann.posts("about @" + bob.account().handle(), Visibility.PRIVATE);
    harness.drain();
    assertThat(notificationsOf(bob)).isEmpty();
  }

  @Test
  void undo_retractsItsNotification() {
    var post = ann.posts("hello");
    bob.follows(ann);
    bob.likes(post);
    var comment = bob.comments(post, "well");
    var mention = bob.posts("hello @" + ann.account().handle());
    harness.drain();
    bob.unfollows(ann);
    bob.unlikes(post);
    harness.world.comments.delete(post.postId(), comment.commentId());
    bob.deletes(mention);
    harness.drain();
    assertThat(notificationsOf(ann)).isEmpty();
  }

  @Test
  void likeUnlikeLike_notifiesOnce() {
    var post = ann.posts("hello");
    bob.likes(post);
    harness.drain();
    bob.unlikes(post);
    bob.likes(post);
    harness.drain();
    assertThat(types(ann)).containsExactly(NotificationType.LIKE);
    harness.replay(Lane.EFFECTS);
    assertThat(types(ann)).containsExactly(NotificationType.LIKE);
  }

  @Test
  void replay_keepsReadNotificationsRead() {
    var post = ann.posts("hello");
    bob.likes(post);
    bob.follows(ann);
    harness.drain();
    harness.world.notifications.markAllRead(ann.id(), harness.table.clock().instant());
    harness.replay(Lane.EFFECTS);
    assertThat(notificationsOf(ann)).hasSize(2).allMatch(Notification::read);
    assertThat(harness.world.notifications.unreadCount(ann.id())).isZero();
  }

  @Test
  void blockedMutedAndBlockingAccounts_doNotNotify() {
    var post = ann.posts("hello");
    var muted = harness.world.user("muted");
    var blocked = harness.world.user("blocked");
    var blocker = harness.world.user("blocker");
    ann.mutes(muted);
    ann.blocks(blocked);
    blocker.blocks(ann);
    muted.follows(ann);
    for (var person : List.of(muted, blocked, blocker, bob)) {
      person.likes(post);
      person.comments(post, "well");
      person.posts("hello @" + ann.account().handle());
    }
    harness.drain();
    assertThat(notificationsOf(ann)).hasSize(3).allMatch(n -> n.actorId().equals(bob.id()));
  }

  @Test
  void mute_thatHasEnded_silencesEarlierActionsOnly() {
    var post = ann.posts("hello");
    var until = harness.table.clock().instant().plus(Duration.ofHours(1));
    ann.mutes(bob, until);
    bob.likes(post);
    harness.pause();
    bob.comments(post, "well");
    harness.table.clock().advance(Duration.ofHours(1));
    bob.follows(ann);
    harness.resume();
    harness.drain();
    assertThat(types(ann)).containsExactly(NotificationType.FOLLOW);
  }

  @Test
  void block_removesPostsFromBothFeeds_andBothFollows() {
    bob.follows(ann);
    ann.follows(bob);
    ann.posts("hello");
    bob.posts("well");
    harness.drain();
    ann.blocks(bob);
    harness.drain();
    assertThat(notificationsOf(ann)).isEmpty();
    assertThat(notificationsOf(bob)).isEmpty();
    for (var person : List.of(ann, bob)) {
      assertThat(harness.world.feeds.stored(person.id(), PageRequest.first(50)).items())
          .hasSize(1)
          .allMatch(entry -> entry.authorId().equals(person.id()));
      assertThat(person.account().followersCount()).isZero();
      assertThat(person.account().followingCount()).isZero();
    }
  }

  /** As a redrive delivers it, long after the undo was handled. */
  @Test
  void lateEffects_afterTheUndo_notifyNoOne() {
    var post = ann.posts("hello");
    var mention = bob.posts("hello @" + ann.account().handle());
    var like = bob.likes(post);
    var edge = bob.follows(ann);
    bob.unlikes(post);
    bob.unfollows(ann);
    bob.deletes(mention);
    harness.drain();
    deliverLate(like, edge, mention);
    assertThat(notificationsOf(ann)).isEmpty();
  }

  @Test
  void lateEffects_afterUndoAndRepeat_notifyOnce() {
    var post = ann.posts("hello");
    var like = bob.likes(post);
    var edge = bob.follows(ann);
    bob.unlikes(post);
    bob.unfollows(ann);
    bob.likes(post);
    bob.follows(ann);
    harness.drain();
    deliverLate(like, edge);
    assertThat(types(ann))
        .containsExactlyInAnyOrder(NotificationType.LIKE, NotificationType.FOLLOW);
  }

  private void deliverLate(Row... rows) {
    for (var row : rows) {
      harness.multiplexer.handle(Lane.EFFECTS, EntryContract.event(StreamRecords.inserted(1, row)));
    }
  }

  private List<NotificationType> types(Person person) {
    return notificationsOf(person).stream().map(Notification::type).toList();
  }

  private List<Notification> notificationsOf(Person person) {
    return harness.world.notifications.all(person.id(), PageRequest.first(50)).items();
  }
}
