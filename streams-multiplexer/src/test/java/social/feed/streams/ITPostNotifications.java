package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.CleanUpPostHandler.CleanUpPost;
import social.feed.streams.effect.ContinueCleanUpHandler.ContinueCleanUp;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.PostNotifier.NotifySpecialFollowers;
import social.feed.streams.effect.PostNotifier.NotifySpecialFollowersChunk;
import social.feed.streams.plan.Lane;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Block;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;

/** Special followers are notified of posts. */
class ITPostNotifications {
  private static final int MANY = 7;
  private static final int PART = 3;

  private StreamHarness harness;
  private Person ann;
  private Person bob;
  private Person cid;

  @BeforeEach
  void start() {
    harness = StreamHarness.startWithCelebrities();
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    cid = harness.world.user("cid");
    bob.follows(ann);
    bob.marks(ann);
    cid.follows(ann);
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void post_notifiesSpecialFollowersOnly_andOnceDespiteReplays() {
    var post = ann.posts("hello");
    harness.drain();
    harness.replay(Lane.EFFECTS);

    assertThat(notificationsOf(bob)).singleElement().satisfies(notice -> assertIsOf(notice, post));
    assertThat(notificationsOf(cid)).isEmpty();
    assertThat(posts(ann)).isEmpty();
    assertThat(harness.world.notifications.unreadCount(bob.id())).isEqualTo(1);
  }

  private void assertIsOf(Notification notice, Post post) {
    assertThat(notice.type()).isEqualTo(NotificationType.POST);
    assertThat(notice.actorId()).isEqualTo(ann.id());
    assertThat(notice.postId()).isEqualTo(post.postId());
    assertThat(notice.createdAt()).isEqualTo(post.createdAt());
    assertThat(notice.read()).isFalse();
  }

  @Test
  void postOfACelebrity_whichIsNotFannedOut_notifiesAsWell() {
    for (int i = 0; i < StreamHarness.CELEBRITY; i++) {
      harness.world.user("fan" + i).follows(ann);
    }
    harness.drain();
    assertThat(ann.account().isCelebrity()).isTrue();

    var post = ann.posts("hello");
    harness.drain();

    assertThat(notificationsOf(bob))
        .extracting(Notification::postId)
        .containsExactly(post.postId());
    assertThat(notificationsOf(cid)).isEmpty();
  }

  /** Their blocks are read before any of them is notified. */
  @Test
  void specialFollowerWithABlockThatCannotBeRead_isLeftOut_andOthersAreNotified() {
    cid.marks(ann);
    harness.drain();
    var block =
        new HashMap<>(
            RowCodec.encode(new Block(cid.id(), ann.id(), harness.table.clock().instant())));
    block.remove("created_at");
    harness.table.client().putItem(p -> p.tableName(harness.table.table().name()).item(block));
    harness.drain();
    harness.deadLetters.clear();

    var post = ann.posts("hello");
    harness.drain();

    assertThat(notificationsOf(bob)).singleElement().satisfies(notice -> assertIsOf(notice, post));
    assertThat(harness.deadLetters).isEmpty();
  }

  @Test
  void readNotification_staysReadAfterAReplay() {
    ann.posts("hello");
    harness.drain();
    harness.world.notifications.markAllRead(bob.id(), harness.table.clock().instant());

    harness.replay(Lane.EFFECTS);

    assertThat(notificationsOf(bob)).singleElement().matches(Notification::read);
  }

  @Test
  void postBeforeTheSpecialFollow_doesNotNotify_whenItIsShownLater() {
    var before = cid.posts("secret", Visibility.PRIVATE);
    harness.table.clock().advance(Duration.ofHours(1));
    bob.follows(cid);
    bob.marks(cid);
    harness.world.posts.changeVisibility(before.postId(), cid.id(), Visibility.PUBLIC);
    harness.drain();

    assertThat(notificationsOf(bob)).isEmpty();
  }

  @Test
  void deleteOrPrivacy_alsoRetractsFromFormerFollowers() {
    var deleted = ann.posts("one");
    var hidden = ann.posts("two");
    harness.drain();
    assertThat(notificationsOf(bob)).hasSize(2);
    bob.unfollows(ann);
    harness.drain();
    assertThat(notificationsOf(bob)).as("earlier notifications stay").hasSize(2);

    ann.deletes(deleted);
    harness.world.posts.changeVisibility(hidden.postId(), ann.id(), Visibility.PRIVATE);
    harness.drain();

    assertThat(notificationsOf(bob)).isEmpty();
    assertThat(harness.world.notifications.unreadCount(bob.id())).isZero();
  }

  @Test
  void visibility_isRespected_whenItChangesAndBack() {
    var post = ann.posts("one", Visibility.PRIVATE);
    harness.drain();
    assertThat(notificationsOf(bob)).isEmpty();

    harness.world.posts.changeVisibility(post.postId(), ann.id(), Visibility.FOLLOWERS);
    harness.drain();
    assertThat(notificationsOf(bob)).hasSize(1);

    bob.unfollows(ann);
    harness.world.posts.changeVisibility(post.postId(), ann.id(), Visibility.PUBLIC);
    harness.drain();
    assertThat(notificationsOf(bob)).as("notified before, and readable again").hasSize(1);

    harness.world.posts.changeVisibility(post.postId(), ann.id(), Visibility.FOLLOWERS);
    harness.drain();
    assertThat(notificationsOf(bob)).as("for followers, and there are none").isEmpty();
  }

  @Test
  void mutedAuthor_andEndedSpecialFollow_doNotNotify() {
    bob.mutes(ann);
    cid.marks(ann);
    cid.unmarks(ann);
    ann.posts("hello");
    harness.drain();

    assertThat(notificationsOf(bob)).isEmpty();
    assertThat(notificationsOf(cid)).isEmpty();
  }

  @Test
  void deadLetterThatIsRedrivenAfterTheDelete_notifiesNoOne() {
    harness.pause();
    var post = ann.posts("hello");
    harness.handlers.apply(List.of(new NotifySpecialFollowers(post, later(post))));
    assertThat(notificationsOf(bob)).hasSize(1);
    ann.deletes(post);

    harness.handlers.apply(List.of(new NotifySpecialFollowers(post, later(post))));

    assertThat(notificationsOf(bob)).isEmpty();
  }

  @Test
  void deleteDuringTheNotification_leavesNothing() {
    harness.pause();
    var post = ann.posts("hello");
    harness.between.before(BatchWriteItemRequest.class::isInstance, () -> ann.deletes(post));

    harness.handlers.apply(List.of(new NotifySpecialFollowers(post, later(post))));

    assertThat(notificationsOf(bob)).isEmpty();
    assertThat(harness.between.happened()).isTrue();
  }

  @Test
  void deleteAndCleanUpBetweenNoteAndNotification_leaveNothing() {
    harness.pause();
    var post = ann.posts("hello");
    harness.between.after(
        BatchWriteItemRequest.class::isInstance,
        () -> {
          ann.deletes(post);
          harness.handlers.apply(List.of(new CleanUpPost(post)));
        });

    harness.handlers.apply(List.of(new NotifySpecialFollowers(post, later(post))));

    assertThat(harness.between.happened()).isTrue();
    assertThat(notificationsOf(bob)).isEmpty();
  }

  @Test
  void attemptThatWasCutOffAfterTheDelete_isRetractedByItsRetry() {
    harness.pause();
    var post = ann.posts("hello");
    var effect = new NotifySpecialFollowers(post, later(post));
    harness.handlers.apply(List.of(effect));
    var notification = notificationsOf(bob).getFirst();
    ann.deletes(post);
    harness.handlers.apply(List.of(new CleanUpPost(post)));
    assertThat(notificationsOf(bob)).isEmpty();
    harness.world.notifications.add(notification);

    harness.handlers.apply(List.of(effect));

    assertThat(notificationsOf(bob)).isEmpty();
  }

  @Test
  void manyFollowers_areNotifiedInParts_onceDespiteReplays() {
    harness.pause();
    var fans = IntStream.range(0, MANY).mapToObj(i -> harness.world.user("fan" + i)).toList();
    fans.forEach(fan -> fan.follows(cid));
    fans.forEach(fan -> fan.marks(cid));
    var handlers =
        new EffectHandlers(
            harness.ofMultiplexer,
            harness.table.clock(),
            EffectSettings.of(
                    StreamHarness.NEWEST,
                    BatchSizes.oneByOne(PART),
                    ErasureSweeps.Settings.unpaced())
                .withEvents(harness.events::add));
    var post = cid.posts("hello");

    for (int i = 0; i < 2; i++) {
      handlers.apply(List.of(new NotifySpecialFollowers(post, later(post))));
      int parts = 1;
      for (var next = order(post); next.isPresent(); next = order(post)) {
        assertThat(fans).filteredOn(this::isNotified).hasSize(i == 0 ? parts * PART : MANY);
        var effect = next.get();
        handlers.apply(List.of(effect));
        handlers.apply(List.of(effect));
        parts++;
      }
      assertThat(parts).isEqualTo(3);
    }

    assertThat(fans).allSatisfy(fan -> assertThat(notificationsOf(fan)).hasSize(1));
  }

  private boolean isNotified(Person fan) {
    return !notificationsOf(fan).isEmpty();
  }

  /** What the order of the next part of the special followers causes. */
  private Optional<ContinueCleanUp> order(Post post) {
    return harness.rows().stream()
        .filter(row -> row.key().equals(PostCleanUp.key(post.postId(), Cause.ANNOUNCED)))
        .map(PostCleanUp.class::cast)
        .map(
            order ->
                new ContinueCleanUp(
                    order.postId(),
                    order.cause(),
                    order.revision(),
                    StreamHarness.NOTIFICATIONS_LIVE))
        .findFirst();
  }

  /** As an earlier version has cut it. */
  @Test
  void chunk_isNotified_andRetractedAfterTheDelete() {
    harness.pause();
    var fans = IntStream.range(0, PART).mapToObj(i -> harness.world.user("fan" + i)).toList();
    fans.forEach(fan -> fan.follows(cid));
    fans.forEach(fan -> fan.marks(cid));
    var post = cid.posts("hello");
    var chunk = new PostNotificationChunk(post.postId(), 0, first(fans), last(fans), later(post));
    var effect = List.<Effect>of(new NotifySpecialFollowersChunk(chunk));
    harness.handlers.apply(effect);
    assertThat(fans).allSatisfy(fan -> assertThat(notificationsOf(fan)).hasSize(1));

    cid.deletes(post);
    harness.handlers.apply(effect);
    assertThat(fans).allSatisfy(fan -> assertThat(notificationsOf(fan)).isEmpty());
  }

  /** The part comes again, as after a timeout. */
  @Test
  void unfollow_whileAPartIsNotified_retractsThePostForFollowers() {
    harness.pause();
    var fans = IntStream.range(0, PART).mapToObj(i -> harness.world.user("fan" + i)).toList();
    fans.forEach(fan -> fan.follows(cid));
    fans.forEach(fan -> fan.marks(cid));
    var post = cid.posts("hello", Visibility.FOLLOWERS);
    var part = new PostNotificationChunk(post.postId(), 0, first(fans), last(fans), later(post));
    var effect = List.<Effect>of(new NotifySpecialFollowersChunk(part));
    harness.handlers.apply(effect);
    assertThat(fans).allSatisfy(fan -> assertThat(notificationsOf(fan)).hasSize(1));

    fans.getFirst().unfollows(cid);
    harness.handlers.apply(effect);

    assertThat(notificationsOf(fans.getFirst())).isEmpty();
    assertThat(notificationsOf(fans.getLast())).hasSize(1);
  }

  private static String first(List<Person> fans) {
    return fans.stream().map(Person::id).min(String::compareTo).orElseThrow();
  }

  private static String last(List<Person> fans) {
    return fans.stream().map(Person::id).max(String::compareTo).orElseThrow();
  }

  @Test
  void cost_isThatOfTheSpecialFollowersOnly() {
    harness.pause();
    for (int i = 0; i < MANY; i++) {
      harness.world.user("fan" + i).follows(ann);
      harness.world.user("reader" + i).follows(cid);
    }
    var one = ann.posts("hello");
    var none = cid.posts("hello");

    var ofRecipient = TestTable.costOf(() -> apply(one));
    var again = TestTable.costOf(() -> apply(one));
    var ofNone = TestTable.costOf(() -> apply(none));

    assertThat(ofRecipient.write()).as("a row, the notification and its entry").isEqualTo(3);
    assertThat(ofRecipient.read())
        .as("the post twice, the list, blocks and mutes")
        .isLessThanOrEqualTo(5);
    // The service bills the rejected second notification as well, the local engine does not.
    assertThat(again.write()).isEqualTo(1);
    assertThat(ofNone.write()).isZero();
    assertThat(ofNone.read()).isLessThanOrEqualTo(2);
  }

  private void apply(Post post) {
    harness.handlers.apply(List.of(new NotifySpecialFollowers(post, later(post))));
  }

  private static long later(Post post) {
    return post.createdAt().plus(Duration.ofDays(90)).getEpochSecond();
  }

  private List<Notification> posts(Person person) {
    return notificationsOf(person).stream().filter(n -> n.type() == NotificationType.POST).toList();
  }

  private List<Notification> notificationsOf(Person person) {
    return harness.world.notifications.all(person.id(), PageRequest.first(50)).items();
  }
}
