package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.streams.SinkHarness.GOOD;
import static social.feed.streams.SinkHarness.KEPT;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.streams.sink.SinkLoop;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Suspect;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.suspicion.Suspects;
import social.feed.table.user.ProfileChange;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The events that other systems get of changes of the table. */
class ITPublishedEvents {
  private final SinkHarness harness = SinkHarness.start();
  private final SeedWorld world = harness.world;

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void changes_arePublishedWithWhatIsPublic() {
    var ann = world.user("ann");
    var bob = world.user("bob");
    bob.follows(ann);
    var post = ann.posts("Hello #sea");
    bob.likes(post);
    bob.comments(post, "Hi");
    bob.unlikes(post);
    ann.posts("for friends", Visibility.FOLLOWERS);
    ann.posts("for me", Visibility.PRIVATE);
    bob.unfollows(ann);
    harness.deliver(List.of(GOOD));

    try (var _ = SinkLoop.start(harness.queue, harness.consumer, harness.unpublished)) {
      Polling.until(() -> harness.published.size() >= 8);
    }

    // Notifications are written by effects, whose records have not been delivered yet.
    assertThat(harness.published.stream().map(event -> event.type().eventName()).sorted())
        .containsExactly(
            "account.registered",
            "account.registered",
            "comment.created",
            "follow.created",
            "follow.deleted",
            "like.created",
            "like.deleted",
            "post.created");
    assertThat(only(EventType.POST_CREATED).data())
        .containsEntry("text", "Hello #sea")
        .containsEntry("tags", List.of("sea"));
    assertThat(only(EventType.COMMENT_CREATED).data()).containsEntry("text", "Hi");
    assertThat(only(EventType.LIKE_DELETED).version())
        .isGreaterThan(only(EventType.LIKE_CREATED).version());
    assertThat(only(EventType.LIKE_CREATED).actor()).isEqualTo(bob.id());
    assertThat(harness.waiting(harness.sinks)).isZero();
    assertThat(harness.waiting(harness.deadLetters)).isZero();
  }

  /** The queue keeps no order, so receivers compare versions all the same. */
  @Test
  void eventsOfAnEntity_arePutOnTheQueueByTheirVersions() {
    var ann = world.user("ann");
    var bob = world.user("bob");
    var post = ann.posts("Hello");
    for (int i = 0; i < 3; i++) {
      bob.follows(ann);
      bob.likes(post);
      bob.unfollows(ann);
      bob.unlikes(post);
    }
    world.posts.changeVisibility(post.postId(), ann.id(), Visibility.PRIVATE);
    world.posts.changeVisibility(post.postId(), ann.id(), Visibility.PUBLIC);
    ann.deletes(post);
    var put = new CopyOnWriteArrayList<DomainEvent>();

    harness.deliver(
        List.of(GOOD), (messages, _) -> messages.forEach(message -> put.add(message.event())));

    var byEntity = put.stream().collect(Collectors.groupingBy(DomainEvent::entity)).values();
    assertThat(byEntity)
        .allSatisfy(events -> assertThat(events).isSortedAccordingTo(DomainEvent.BY_VERSION))
        .extracting(List::size)
        .containsExactlyInAnyOrder(1, 1, 4, 6, 6);
  }

  /**
   * Receivers keep the highest version of each entity and ignore what comes later below it, so an
   * event must not need one before it.
   */
  @Test
  void eachEventOfAnAccount_hasAllThatIsPublicOfIt() {
    var ann = world.user("ann");
    flag(ann, true);
    world.users.change(ann.id(), new ProfileChange(null, "Ann B.", "at sea"));
    flag(ann, false);
    harness.deliver(List.of(GOOD));

    harness.publishAll();

    assertThat(harness.published.stream().sorted(DomainEvent.BY_VERSION).map(DomainEvent::type))
        .containsExactly(
            EventType.ACCOUNT_REGISTERED,
            EventType.CELEBRITY_CHANGED,
            EventType.ACCOUNT_CHANGED,
            EventType.CELEBRITY_CHANGED);
    assertThat(harness.published)
        .allSatisfy(
            event ->
                assertThat(event.data())
                    .containsEntry("handle", ann.account().handle())
                    .containsEntry("display_name", "Ann B.")
                    .containsEntry("bio", "at sea"));
    assertThat(
            harness.published.stream()
                .sorted(DomainEvent.BY_VERSION)
                .map(event -> event.data().get("is_celebrity")))
        .as("what a flip says of itself stays")
        .containsExactly(false, true, false, false);
  }

  private void flag(SeedWorld.Person person, boolean isCelebrity) {
    var flip =
        new Update()
            .set(User.IS_CELEBRITY, AttributeValue.fromBool(isCelebrity))
            .increment(User.CELEBRITY_VERSION, 1);
    assertThat(
            harness.table.table().update(User.key(person.id()), flip, Condition.present()).isDone())
        .isTrue();
  }

  @Test
  void notifications_arePublishedWithoutThoseOfHiddenPosts() {
    var ann = world.user("ann");
    var bob = world.user("bob");
    bob.follows(ann);
    bob.likes(ann.posts("for all"));
    bob.likes(ann.posts("for friends", Visibility.FOLLOWERS));
    harness.deliver(List.of());
    harness.deliver(List.of(GOOD));

    harness.publishAll();

    assertThat(harness.published.stream().filter(e -> e.type() == EventType.NOTIFICATION_CREATED))
        .extracting(event -> event.data().get("kind"))
        .containsExactlyInAnyOrder("follow", "like");
  }

  @Test
  void postMadePrivateOrDeletedMeanwhile_isPublishedWithoutItsText() {
    var ann = world.user("ann");
    var hidden = ann.posts("soon hidden");
    var deleted = ann.posts("soon deleted");
    ann.comments(hidden, "never shown");
    harness.deliver(List.of(GOOD));
    world.posts.changeVisibility(hidden.postId(), ann.id(), Visibility.PRIVATE);
    ann.deletes(deleted);
    harness.deliver(List.of(GOOD));

    harness.publishAll();

    assertThat(harness.published)
        .extracting(DomainEvent::type)
        .contains(EventType.POST_CREATED, EventType.POST_VISIBILITY_CHANGED, EventType.POST_DELETED)
        .doesNotContain(EventType.COMMENT_CREATED);
    assertThat(harness.published).noneMatch(event -> event.data().containsKey("text"));
  }

  /** An erasure removes the profile first, and posts and comments over hours. */
  @Test
  void accountErasedMeanwhile_isPublishedWithNoTextLikeOrComment() {
    var ann = world.user("ann");
    var bob = world.user("bob");
    var cid = world.user("cid");
    var erased = ann.posts("of an erased account");
    var post = bob.posts("stays");
    ann.comments(post, "of an erased account");
    ann.likes(post);
    cid.comments(erased, "under a post of an erased account");
    cid.likes(erased);
    cid.comments(post, "stays too");
    harness.deliver(List.of(GOOD));
    erase(ann);

    harness.publishAll();

    assertThat(harness.published.stream().flatMap(e -> Stream.ofNullable(e.data().get("text"))))
        .containsExactlyInAnyOrder("stays", "stays too");
    assertThat(harness.published)
        .extracting(DomainEvent::type)
        .contains(EventType.POST_CREATED)
        .doesNotContain(EventType.LIKE_CREATED);
    assertThat(harness.published).filteredOn(e -> e.data().containsKey("handle")).hasSize(2);
  }

  /** What hides a notification between its event and the call of a sink. */
  private enum Hiding {
    BLOCK,
    BLOCK_BY_THE_ACTOR,
    MUTE,
    UNLIKE,
    ERASED_ACTOR,
    ERASED_RECIPIENT,
    EXPIRY
  }

  @ParameterizedTest
  @EnumSource
  void notificationHiddenMeanwhile_isNotPublished(Hiding hiding) {
    var ann = world.user("ann");
    var bob = world.user("bob");
    var cid = world.user("cid");
    var post = ann.posts("for all");
    bob.likes(post);
    if (hiding != Hiding.ERASED_RECIPIENT && hiding != Hiding.EXPIRY) {
      cid.likes(post);
    }
    harness.deliver(List.of());
    harness.deliver(List.of(GOOD));
    switch (hiding) {
      case BLOCK -> ann.blocks(bob);
      case BLOCK_BY_THE_ACTOR -> bob.blocks(ann);
      case MUTE -> ann.mutes(bob);
      case UNLIKE -> {
        bob.unlikes(post);
        harness.deliver(List.of());
      }
      case ERASED_ACTOR -> erase(bob);
      case ERASED_RECIPIENT -> erase(ann);
      case EXPIRY -> harness.table.clock().advance(KEPT.plusDays(1));
    }

    harness.publishAll();

    var expected =
        hiding == Hiding.ERASED_RECIPIENT || hiding == Hiding.EXPIRY
            ? List.<String>of()
            : List.of(cid.id());
    assertThat(harness.published.stream().filter(e -> e.type() == EventType.NOTIFICATION_CREATED))
        .extracting(DomainEvent::actor)
        .containsExactlyElementsOf(expected);
  }

  @Test
  void suspicionOfAnErasedAccount_isNotPublished() {
    var ann = world.user("ann");
    var bob = world.user("bob");
    Stream.of(ann, bob).forEach(person -> harness.table.table().putAll(List.of(suspect(person))));
    harness.deliver(List.of(GOOD));
    erase(ann);

    harness.publishAll();

    assertThat(only(EventType.ACCOUNT_SUSPICIOUS).actor()).isEqualTo(bob.id());
  }

  /** An operator found nothing wrong. */
  @Test
  void suspicionDismissedMeanwhile_isNotPublished() {
    var ann = world.user("ann");
    var bob = world.user("bob");
    Stream.of(ann, bob).forEach(person -> harness.table.table().putAll(List.of(suspect(person))));
    harness.deliver(List.of(GOOD));
    new Suspects(harness.table.table()).dismiss(ann.id(), harness.table.clock().instant());

    harness.publishAll();

    assertThat(only(EventType.ACCOUNT_SUSPICIOUS).actor()).isEqualTo(bob.id());
  }

  private Suspect suspect(SeedWorld.Person person) {
    var finding = SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 400, 200);
    var day = harness.table.clock().instant().truncatedTo(ChronoUnit.DAYS);
    return Suspect.of(new Suspect.Evidence(person.id(), 1, day, List.of(finding)));
  }

  @Test
  void withoutASink_nothingIsWritten() {
    world.user("ann").posts("Hello");
    harness.deliver(List.of());
    assertThat(harness.waiting(harness.sinks)).isZero();
  }

  private void erase(SeedWorld.Person person) {
    new Erasures(harness.table.table(), world.users)
        .begin(person.id(), Timestamps.now(harness.table.clock()));
  }

  private DomainEvent only(EventType type) {
    var events = harness.published.stream().filter(event -> event.type() == type).toList();
    assertThat(events).hasSize(1);
    return events.getFirst();
  }
}
