package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.PostNotifier.NotifySpecialFollowers;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;

/**
 * The notifications of a post that fewer may see are retracted in parts of three, each ordered by
 * the one before.
 */
class ITNotificationRetraction extends PartsScenario {
  private static final long LATER = 4_000_000_000L;

  @Override
  void prepare(Person fan) {
    fan.marks(ann);
  }

  @Test
  void hiddenPost_notifiesNoOne_andEachOnceWhenItIsShownAgain_alsoAfterAReplay() {
    var post = announced();
    var other = announced();

    change(post, Visibility.PRIVATE);
    harness.drain();
    assertThat(notified(post)).isEmpty();
    assertThat(order(post)).isEmpty();
    harness.replay(Lane.EFFECTS);
    assertThat(notified(post)).isEmpty();
    assertThat(unread()).containsOnly(1L);

    change(post, Visibility.PUBLIC);
    harness.drain();
    harness.replay(Lane.EFFECTS);
    assertThat(notified(post)).containsExactlyInAnyOrderElementsOf(fans);
    assertThat(notified(other)).containsExactlyInAnyOrderElementsOf(fans);
    assertThat(unread()).containsOnly(2L);
    assertThat(order(post)).isEmpty();
    assertThat(harness.deadLetters).isEmpty();
  }

  /** Each call of a handler retracts a part, and no more. */
  @Test
  void eachPart_retractsItsNotifications_andOrdersTheNext_once() {
    var post = announced();
    var hidden = hide(post);
    assertThat(notified(post)).hasSize(FANS - PART);
    var first = order(post).orElseThrow();

    apply(part(first));
    assertThat(notified(post)).hasSize(FANS - 2 * PART);
    apply(part(first));
    assertThat(notified(post)).as("by an order that was carried out").hasSize(FANS - 2 * PART);

    apply(notifying(hidden));
    assertThat(notified(post)).as("by a replay of the change").hasSize(FANS - 2 * PART);
    assertThat(order(post).orElseThrow().revision()).isGreaterThan(first.revision() + 1);
    assertGoneAfterTheRest(post);
  }

  @Test
  void part_thatIsCutOff_isDoneAgain() {
    var post = announced();
    hide(post);
    var first = order(post).orElseThrow();
    harness.between.after(
        PartsScenario::removesInBulk,
        () -> {
          throw new IllegalStateException("cut off");
        });

    assertThatThrownBy(() -> apply(part(first))).hasStackTraceContaining("cut off");
    assertThat(order(post)).hasValueSatisfying(it -> assertThat(it).isEqualTo(first));
    assertThat(notified(post)).hasSize(FANS - 2 * PART);

    apply(part(first));
    assertThat(order(post).orElseThrow().revision()).isEqualTo(first.revision() + 1);
    assertGoneAfterTheRest(post);
  }

  private void assertGoneAfterTheRest(Post post) {
    continueAll(post, Cause.NARROWED);
    assertThat(notified(post)).isEmpty();
  }

  /** The rest is left to the change that shows it. */
  @Test
  void postThatIsShownBetweenParts_notifiesEachOnce() {
    var post = announced();
    hide(post);
    var order = order(post).orElseThrow();
    change(post, Visibility.PUBLIC);
    var before = notified(post);

    apply(part(order));
    assertThat(notified(post)).isEqualTo(before);
    assertThat(order(post)).isEmpty();
    harness.resume();
    harness.drain();
    assertThat(notified(post)).containsExactlyInAnyOrderElementsOf(fans);
    assertThat(unread()).containsOnly(1L);
  }

  /** Another function has shown it and notified all while this one retracts a part. */
  @Test
  void postThatIsShownDuringAPart_notifiesEachOnce() {
    var post = announced();
    hide(post);
    var order = order(post).orElseThrow();
    harness.between.before(PartsScenario::removesInBulk, () -> show(post));

    apply(part(order));
    assertThat(harness.between.happened()).isTrue();
    assertThat(notified(post)).as("by this part again").containsExactlyInAnyOrderElementsOf(fans);
    harness.resume();
    harness.drain();
    assertThat(notified(post)).containsExactlyInAnyOrderElementsOf(fans);
    assertThat(unread()).containsOnly(1L);
    assertThat(order(post)).isEmpty();
  }

  /** The order of the first time comes when the post is hidden for the second time. */
  @Test
  void postThatIsHiddenTwice_isRetractedByTheOrderOfTheLastTime() {
    var post = announced();
    hide(post);
    var first = order(post).orElseThrow();
    show(post);
    hide(post);

    apply(part(first));
    assertThat(notified(post)).as("by the order of the first time").hasSize(FANS - PART);
    assertGoneAfterTheRest(post);
  }

  @Test
  void followerWhoLeavesBetweenParts_isNotNotified_andNotAgainWhenThePostIsShown() {
    var post = announced();
    hide(post);
    var leaving = notified(post).getFirst();
    leaving.unfollows(ann);
    harness.resume();
    harness.drain();
    assertThat(notified(post)).isEmpty();

    change(post, Visibility.PUBLIC);
    harness.drain();
    assertThat(notified(post)).hasSize(FANS - 1).doesNotContain(leaving);
  }

  @Test
  void postForFollowers_isRetractedFromAllWhoLeft_andFromNoOther() {
    var post = announced();
    var left = fans.subList(0, FANS - 1);
    left.forEach(fan -> fan.unfollows(ann));
    harness.drain();
    assertThat(notified(post)).as("a public post").hasSize(FANS);

    harness.pause();
    apply(notifying(change(post, Visibility.FOLLOWERS)));
    assertThat(notified(post)).hasSizeBetween(FANS - PART, FANS - PART + 1);
    harness.resume();
    harness.drain();
    assertThat(notified(post)).containsExactly(fans.getLast());
    assertThat(order(post)).isEmpty();
  }

  @Test
  void postThatIsDeletedBetweenParts_notifiesNoOne() {
    var post = announced();
    hide(post);
    ann.deletes(post);
    harness.resume();
    harness.drain();
    assertThat(notified(post)).isEmpty();
    assertThat(order(post)).isEmpty();
    assertThat(unread()).containsOnly(0L);
  }

  private Post announced() {
    var post = ann.posts("hello");
    harness.drain();
    assertThat(notified(post)).hasSize(FANS);
    return post;
  }

  /** Hides a post while the stream waits, and applies the effects of that. */
  private Post hide(Post post) {
    if (!harness.isPaused()) {
      harness.pause();
    }
    var hidden = change(post, Visibility.PRIVATE);
    apply(new ChangeVisibility(hidden));
    apply(notifying(hidden));
    return hidden;
  }

  /** Shows a post while the stream waits, and applies all effects of that. */
  private void show(Post post) {
    var shown = change(post, Visibility.PUBLIC);
    apply(new ChangeVisibility(shown));
    apply(notifying(shown));
    continueAll(post, Cause.ANNOUNCED);
    assertThat(notified(post)).containsExactlyInAnyOrderElementsOf(fans);
  }

  private static NotifySpecialFollowers notifying(Post post) {
    return new NotifySpecialFollowers(post, LATER);
  }

  private Optional<PostCleanUp> order(Post post) {
    return order(post, Cause.NARROWED);
  }

  /** The fans who have a notification of a post. */
  private List<Person> notified(Post post) {
    return fans.stream().filter(fan -> isNotified(fan, post)).toList();
  }

  private boolean isNotified(Person fan, Post post) {
    return notifications(fan).stream()
        .anyMatch(it -> it.type() == NotificationType.POST && post.postId().equals(it.postId()));
  }

  private List<Notification> notifications(Person fan) {
    return harness.world.notifications.all(fan.id(), PageRequest.first(50)).items();
  }

  private List<Long> unread() {
    return fans.stream().map(fan -> harness.world.notifications.unreadCount(fan.id())).toList();
  }
}
