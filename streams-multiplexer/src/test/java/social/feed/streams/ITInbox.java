package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.streams.plan.Lane;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Inbox;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Visibility;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The number of unread notifications is exact, and costs the same however many there are. */
class ITInbox extends InboxScenario {
  @ParameterizedTest
  @MethodSource("numbersOfUnread")
  void unreadCount_settled_costsOneUnitWhateverTheNumber(int number) {
    notified(0, number);
    settle();

    var counted = count();

    assertThat(counted.result()).isEqualTo(number);
    assertThat(counted.units()).isEqualTo(ONE_READ);
  }

  @ParameterizedTest
  @MethodSource("numbersOfUnread")
  void markAllRead_costsOneUnitWhateverTheNumberAndCountsAtOnce(int number) {
    notified(0, number);
    settle();
    harness.pause();

    assertThat(readAll()).isEqualTo(ONE_WRITE);

    assertThat(count().result()).isZero();
    notified(7_200_000, 1);
    assertThat(count().result()).isEqualTo(1);
    harness.resume();
    harness.drain();
    assertThat(inbox().readUpTo()).isNull();
    assertThat(inbox().unread()).isEqualTo(1);
    assertThat(count()).isEqualTo(new Billed<>(1L, ONE_READ));
    assertThat(harness.world.notifications.unread(ann.id(), PageRequest.first(50)).items())
        .hasSize(1);
  }

  @Test
  void markRead_ofOneAndOfAGroup_countsAtOnceBeforeTheStream() {
    var all = notified(0, 10);
    settle();
    harness.pause();

    harness.world.notifications.markRead(ann.id(), all.get(9).notificationId());
    assertThat(count()).isEqualTo(new Billed<>(9L, ONE_READ));
    harness.world.notifications.markRead(
        ann.id(), all.get(5).notificationId(), all.get(2).notificationId(), _ -> true);
    assertThat(count()).isEqualTo(new Billed<>(5L, ONE_READ));
    harness.resume();
    harness.drain();
    harness.replay(Lane.COUNTS);

    assertThat(count()).isEqualTo(new Billed<>(5L, ONE_READ));
    assertThat(stored()).extracting(Notification::read).filteredOn(read -> read).hasSize(5);
  }

  @Test
  void markRead_ofOneThatTheStreamHasNotCounted_isCorrectInTheEnd() {
    notified(0, 2);
    settle();
    harness.pause();
    var late = notified(10, 1).getFirst();
    harness.world.notifications.markRead(ann.id(), late.notificationId());
    harness.resume();
    harness.drain();

    assertThat(count()).isEqualTo(new Billed<>(2L, ONE_READ));
  }

  @Test
  void markRead_beforeThereIsAnInbox_isCorrectInTheEnd() {
    harness.pause();
    var all = notified(0, 3);
    harness.world.notifications.markRead(ann.id(), all.getFirst().notificationId());
    harness.resume();
    settle();

    assertThat(count()).isEqualTo(new Billed<>(2L, ONE_READ));
  }

  @Test
  void markRead_byAnEarlierVersion_isCountedByTheStream() {
    var all = notified(0, 3);
    settle();
    var update =
        new Update()
            .set(Notification.READ, AttributeValue.fromBool(true))
            .remove(Index.UNREAD.partitionKey())
            .remove(Index.UNREAD.sortKey());
    harness.table.table().update(all.getFirst().key(), update, Condition.present());
    harness.drain();

    assertThat(count()).isEqualTo(new Billed<>(2L, ONE_READ));
  }

  @Test
  void notificationsFromBeforeTheInbox_areCounted() {
    harness.table.table().putAll(IntStream.range(0, 200).mapToObj(i -> old(i)).toList());
    assertThat(count().result()).isEqualTo(200);
    settle();

    assertThat(count()).isEqualTo(new Billed<>(200L, ONE_READ));
    harness.world.notifications.markRead(ann.id(), old(7).notificationId());
    assertThat(count()).isEqualTo(new Billed<>(199L, ONE_READ));
  }

  @Test
  void markAllRead_ofNotificationsFromBeforeTheInbox_isComplete() {
    harness.table.table().putAll(IntStream.range(0, 200).mapToObj(i -> old(i)).toList());

    readAll();

    assertThat(count().result()).isZero();
    settle();
    assertThat(count()).isEqualTo(new Billed<>(0L, ONE_READ));
    assertThat(stored()).allMatch(Notification::read);
  }

  private Notification old(int millis) {
    return notification(millis, bob, false);
  }

  @Test
  void retractedNotification_isSubtractedOnce() {
    var all = notified(0, 3);
    settle();
    harness.world.notifications.retract(all.getFirst().key());
    harness.drain();
    harness.replay(Lane.COUNTS);
    harness.replay(Lane.EFFECTS);

    assertThat(count()).isEqualTo(new Billed<>(2L, ONE_READ));
  }

  @Test
  void expiredNotifications_areNotCountedFromTheirSecondOn() {
    notified(0, 3);
    harness
        .table
        .table()
        .putAll(
            IntStream.range(-5, 0)
                .mapToObj(i -> notification(i, bob, true, Duration.ofMinutes(10)))
                .toList());
    settle();
    assertThat(count()).isEqualTo(new Billed<>(8L, ONE_READ));

    harness.table.clock().advance(Duration.ofMinutes(10));

    assertThat(count().result()).isEqualTo(3);
    settle();
    assertThat(count()).isEqualTo(new Billed<>(3L, ONE_READ));
  }

  /** As after a change of how long notifications live. The older ones must not count as read. */
  @Test
  void newestNotifications_thatExpireFirst_leaveTheOlderOnesUnread() {
    notified(0, 3);
    harness.table.table().putAll(List.of(notification(10, bob, true, Duration.ofMinutes(10))));
    settle();
    harness.table.clock().advance(Duration.ofMinutes(10));
    settle();

    assertThat(count().result()).isEqualTo(3);
    assertThat(stored()).noneMatch(Notification::read);
  }

  /** The count would include the notification until the next look, and no list would show it. */
  @ParameterizedTest
  @ValueSource(longs = {91 * 24, 90 * 24 - 12, 90 * 24 - 24})
  void postThatIsShownLate_notifiesNoOne(long hours) {
    showAfter(Duration.ofHours(hours));

    assertThat(count()).isEqualTo(new Billed<>(0L, ONE_READ));
    assertThat(stored()).isEmpty();
  }

  @Test
  void postThatIsShownTwoDaysBeforeTheExpiry_isCountedUntilThen() {
    showAfter(Duration.ofDays(88));

    assertThat(count()).isEqualTo(new Billed<>(2L, ONE_READ));
    assertThat(stored())
        .extracting(Notification::type)
        .containsExactlyInAnyOrder(NotificationType.MENTION, NotificationType.POST);
    harness.table.clock().advance(Duration.ofDays(2));
    assertThat(count().result()).isZero();
  }

  /** Shows a private post of an age that mentions a special follower, whose inbox is settled. */
  private void showAfter(Duration age) {
    ann.follows(bob);
    ann.marks(bob);
    var post = bob.posts("to @" + ann.account().handle(), Visibility.PRIVATE);
    harness.drain();
    harness.table.clock().advance(age);
    settle();
    assertThat(count()).isEqualTo(new Billed<>(0L, ONE_READ));
    harness.world.posts.changeVisibility(post.postId(), bob.id(), Visibility.PUBLIC);
    harness.drain();
  }

  @Test
  void unreadCount_whoseNoteMeetsConcurrentWrites_isExact() {
    notified(0, 3);
    harness.drain();
    var conflicts = new AtomicInteger();
    var wire =
        new Wire() {
          @Override
          public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
            if (request instanceof UpdateItemRequest) {
              conflicts.incrementAndGet();
              throw TransactionConflictException.builder().statusCode(400).build();
            }
            return table.apply(request);
          }
        };
    var table = harness.table.table();
    var wired = new Table(WiredClient.of(table.client(), wire), table.name(), table.retry());

    assertThat(new Notifications(wired, harness.table.clock()).unreadCount(ann.id())).isEqualTo(3);

    assertThat(conflicts).hasPositiveValue();
  }

  @Test
  void notificationsFromBeforeTheInbox_areCountedWithoutOneThatCannotBeRead() {
    harness.table.table().putAll(IntStream.range(0, 200).mapToObj(i -> old(i)).toList());
    harness.unset(old(7).key(), "created_at");

    settle();

    assertThat(inbox().complete()).isTrue();
    assertThat(inbox().unread()).isEqualTo(199);
  }

  @Test
  void countAgain_whileOtherWorkIsOrdered_isOrderedAsWell() {
    notified(0, 2);
    settle();
    harness.table.table().putAll(List.of(notification(7_200_000, bob, false)));
    harness.pause();
    var before = inbox();
    readAll();

    assertThat(harness.world.inboxes.countAgain(before)).as("the work is ordered").isFalse();
    assertThat(harness.world.inboxes.countAgain(inbox())).isTrue();
    assertThat(inbox().step()).isEqualTo(2);

    harness.resume();
    harness.drain();
    assertThat(inbox().complete()).isTrue();
    assertThat(inbox().unread()).isEqualTo(1);
  }

  @Test
  void recount_whileNotificationsAreMarked_changesNothing() {
    notified(0, 3);
    settle();
    var recounts = new CounterRecounts(harness.table.table());
    var before = inbox();
    harness.pause();
    readAll();

    assertThat(recounts.setUnread(before, 3, () -> 3)).as("the work was ordered since").isFalse();
    assertThat(recounts.setUnread(inbox(), 3, () -> 3)).as("the work is under way").isFalse();

    harness.resume();
    harness.drain();
    assertThat(recounts.setUnread(inbox(), 7, () -> 7)).isTrue();
    assertThat(inbox().unread()).isEqualTo(7);
  }

  /** The number that the second repair has read comes back, after the first and a mark. */
  @Test
  void recounts_ofTwoRepairsAndAMark_leaveTheCorrectNumber() {
    var all = notified(0, 3);
    settle();
    harness
        .table
        .table()
        .update(Inbox.key(ann.id()), new Update().add(Inbox.UNREAD, -1), Condition.present());
    harness.drain();
    var recounts = new CounterRecounts(harness.table.table());
    var wrong = inbox();
    assertThat(wrong.unread()).isEqualTo(2);

    assertThat(
            recounts.setUnread(
                wrong,
                3,
                () -> {
                  assertThat(recounts.setUnread(wrong, 3, () -> 3)).isTrue();
                  harness.world.notifications.markRead(ann.id(), all.get(1).notificationId());
                  return 3;
                }))
        .as("the other repair came between")
        .isFalse();
    assertThat(recounts.setUnread(wrong, 3, () -> 2)).as("one was marked since").isFalse();
    assertThat(inbox().unread()).isEqualTo(2);
  }
}
