package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.plan.Lane;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.notification.Notifications;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The number of unread notifications is exact, and costs the same however many there are. */
class ITInbox {
  private static final ConsumedUnits ONE_READ = new ConsumedUnits(1, 0);
  private static final ConsumedUnits ONE_WRITE = new ConsumedUnits(0, 1);

  private StreamHarness harness;
  private Person ann;
  private Person bob;

  /** A time in the past, so that the notifications of a test are older than its clock. */
  private Instant start;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    start = Timestamps.now(harness.table.clock()).minus(Duration.ofHours(1));
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  /** A result and what it cost, as AWS bills it. */
  private record Billed<T>(T result, ConsumedUnits units) {}

  private <T> Billed<T> billed(Supplier<T> call) {
    try (var bill = harness.table.bill()) {
      var result = call.get();
      return new Billed<>(result, bill.take().units());
    }
  }

  private Billed<Long> count() {
    return billed(() -> harness.world.notifications.unreadCount(ann.id()));
  }

  private ConsumedUnits readAll() {
    var now = Timestamps.now(harness.table.clock());
    return billed(
            () -> {
              harness.world.notifications.markAllRead(ann.id(), now);
              return now;
            })
        .units();
  }

  private Inbox inbox() {
    return harness.world.notifications.inbox(ann.id());
  }

  private List<Notification> stored() {
    return harness.world.notifications.all(ann.id(), PageRequest.first(50)).items();
  }

  /** Lets the counts be settled: an exact count notes what it found. */
  private void settle() {
    harness.drain();
    count();
    harness.drain();
    count();
    harness.drain();
  }

  private List<Notification> notified(int from, int count) {
    var all =
        IntStream.range(from, from + count).mapToObj(i -> notification(i, bob, true)).toList();
    harness.table.table().putAll(all);
    return all;
  }

  private Notification notification(int millis, Person actor, boolean isCounted) {
    return notification(millis, actor, isCounted, Duration.ofDays(90));
  }

  private Notification notification(int millis, Person actor, boolean isCounted, Duration lives) {
    var at = start.plusMillis(millis);
    return new Notification(
        ann.id(),
        TimeOrderedId.named(at, ann.id(), actor.id()),
        NotificationType.FOLLOW,
        actor.id(),
        null,
        at,
        false,
        harness.table.clock().instant().plus(lives).getEpochSecond(),
        isCounted ? true : null);
  }

  /** {@code -Dinbox.unread=5000} is the largest number of CI. */
  private static IntStream numbersOfUnread() {
    return IntStream.of(0, 10, Integer.getInteger("inbox.unread", 500));
  }

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
        ann.id(), all.get(5).notificationId(), all.get(2).notificationId());
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
  void blockAndMute_hideAtOnceAndTheirEndsShowAtOnce() {
    var cid = harness.world.user("cid");
    notified(0, 2);
    harness.table.table().putAll(List.of(notification(5, cid, true)));
    settle();
    harness.pause();

    ann.blocks(cid);
    assertThat(count().result()).isEqualTo(2);
    ann.unblocks(cid);
    assertThat(count()).isEqualTo(new Billed<>(3L, ONE_READ));
    cid.blocks(ann);
    assertThat(count().result()).isEqualTo(2);
    cid.unblocks(ann);
    ann.mutes(cid);
    assertThat(count().result()).isEqualTo(2);
    ann.unmutes(cid);
    assertThat(count().result()).isEqualTo(3);
    assertThat(count()).isEqualTo(new Billed<>(3L, ONE_READ));
  }

  @Test
  void blocksAndMutesThatHideNothing_costNothingOnceTheyAreOld() {
    var cid = harness.world.user("cid");
    notified(0, 2);
    ann.blocks(cid);
    cid.blocks(ann);
    ann.mutes(harness.world.user("dot"));
    settle();
    assertThat(count().units().read()).isGreaterThan(1);

    harness.table.clock().advance(Duration.ofDays(16));
    settle();
    assertThat(count()).isEqualTo(new Billed<>(2L, ONE_READ));

    harness.pause();
    ann.blocks(bob);
    assertThat(count().result()).isZero();
    ann.unblocks(bob);
    ann.mutes(bob);
    assertThat(count().result()).isZero();
    ann.unmutes(bob);
    assertThat(count().result()).isEqualTo(2);
  }

  /** The stream may bring a notification as late as the effects of what is in it. */
  @Test
  void muteOfToday_hidesWhatComesLater() {
    var cid = harness.world.user("cid");
    notified(0, 2);
    ann.mutes(cid);
    settle();
    harness.table.clock().advance(Duration.ofHours(1));
    settle();

    harness.table.table().putAll(List.of(notification(5, cid, true)));
    harness.drain();

    assertThat(count().result()).isEqualTo(2);
  }

  /** The inbox is read with the last blocks in the order of the accounts' ids. */
  @Test
  void blockBeforeMoreThanTheInboxIsReadWith_hidesAtOnce() {
    var first = harness.world.user("aaa");
    var others = IntStream.range(0, 13).mapToObj(i -> harness.world.user("other" + i)).toList();
    notified(0, 2);
    harness.table.table().putAll(List.of(notification(5, first, true)));
    others.forEach(ann::blocks);
    waitUntilBlocksAreOld();
    assertThat(count()).isEqualTo(new Billed<>(3L, reads(2)));

    ann.blocks(first);

    assertThat(count().result()).isEqualTo(2);
  }

  private void waitUntilBlocksAreOld() {
    harness.table.clock().advance(Duration.ofHours(1));
    settle();
  }

  private static ConsumedUnits reads(double units) {
    return new ConsumedUnits(units, 0);
  }

  /** Others block the account, without an account of their own. */
  private void isBlockedBy(int number) {
    var at = harness.table.clock().instant().minus(Duration.ofDays(1));
    harness
        .table
        .table()
        .putAll(
            IntStream.range(0, number)
                .mapToObj(i -> new BlockedBy(ann.id(), "puppet%04d".formatted(i), at))
                .toList());
  }

  @ParameterizedTest
  @MethodSource("numbersOfUnread")
  void unreadCount_inManyOldBlocks_costsTheSameWhateverTheNumber(int number) {
    isBlockedBy(20);
    notified(0, number);
    settle();

    assertThat(count()).isEqualTo(new Billed<>((long) number, reads(2)));

    bob.blocks(ann);
    assertThat(count().result()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"12, 1", "13, 2", "50, 3", "300, 10", "500, 16"})
  void unreadCount_inOldBlocks_costsTheirRows(int blocks, double units) {
    isBlockedBy(blocks);
    notified(0, 10);
    settle();

    assertThat(count()).isEqualTo(new Billed<>(10L, reads(units)));
  }

  @Test
  void unreadCount_inMoreBlocksThanAreRead_readsTheNotifications() {
    isBlockedBy(501);
    notified(0, 3);
    harness.table.table().putAll(List.of(notification(5, harness.world.user("cid"), true)));
    settle();

    var counted = count();
    assertThat(counted.result()).isEqualTo(4);
    assertThat(counted.units().read()).isGreaterThan(16);
    ann.blocks(bob);
    assertThat(count().result()).isEqualTo(1);
  }

  /** Notes of deliveries are in the partition of their author, as blocks and the inbox are. */
  @Test
  void unreadCount_ofAnAuthorWithManyRecentDeliveries_costsOneUnitAndSeesBlocks() {
    IntStream.range(0, 20).forEach(_ -> ann.posts("Hello"));
    notified(0, 2);
    settle();
    assertThat(count()).isEqualTo(new Billed<>(2L, ONE_READ));

    ann.blocks(bob);

    assertThat(count().result()).isZero();
  }

  /** An earlier version put these notes between the blocks and the inbox. */
  @Test
  void block_behindNotesOfDeliveriesOfAnEarlierVersion_hidesAtOnce() {
    for (int i = 0; i < 20; i++) {
      var key = new Key(Inbox.key(ann.id()).partition(), "DELIVERED#2026-11-20T09:15#POST#" + i);
      var item = new HashMap<>(KeyAttributes.of(key));
      item.put("entity", AttributeValue.fromS("RECENT_DELIVERY"));
      harness
          .table
          .table()
          .client()
          .putItem(put -> put.tableName(harness.table.table().name()).item(item));
    }
    notified(0, 2);
    settle();

    ann.blocks(bob);

    assertThat(count().result()).isZero();
  }

  @ParameterizedTest
  @MethodSource("numbersOfUnread")
  void unreadCount_withNotificationsThatAnOldBlockHides_readsThemAlone(int number) {
    notified(0, 2);
    harness.table.table().putAll(byCid(number));
    ann.blocks(bob);
    settle();
    waitUntilBlocksAreOld();

    assertThat(count()).isEqualTo(new Billed<>((long) number, reads(3)));
    assertThat(inbox().hiddenPlaces()).hasSize(2);

    ann.unblocks(bob);
    assertThat(count().result()).isEqualTo(number + 2);
    settle();
    assertThat(inbox().hiddenPlaces()).isEmpty();
    assertThat(count()).isEqualTo(new Billed<>(number + 2L, ONE_READ));
  }

  private List<Notification> byCid(int number) {
    var cid = harness.world.user("cid");
    return IntStream.range(0, number).mapToObj(i -> notification(5 + i, cid, true)).toList();
  }

  /** Two notifications by an account in an old block, and three others. */
  private List<Notification> withHidden() {
    var hidden = notified(0, 2);
    harness.table.table().putAll(byCid(3));
    bob.blocks(ann);
    settle();
    waitUntilBlocksAreOld();
    assertThat(count()).isEqualTo(new Billed<>(3L, reads(3)));
    return hidden;
  }

  @Test
  void hiddenNotifications_thatAreMarkedAsRead_areNotSubtracted() {
    var hidden = withHidden();
    harness.pause();

    harness.world.notifications.markRead(ann.id(), hidden.getFirst().notificationId());
    assertThat(count().result()).isEqualTo(3);
    assertThat(count()).isEqualTo(new Billed<>(3L, reads(2)));
    var newest = stored().getFirst().notificationId();
    harness.world.notifications.markRead(ann.id(), newest, hidden.getLast().notificationId());
    assertThat(count().result()).isZero();
    assertThat(count()).isEqualTo(new Billed<>(0L, ONE_READ));

    harness.resume();
    harness.drain();
    harness.replay(Lane.COUNTS);
    assertThat(count()).isEqualTo(new Billed<>(0L, ONE_READ));
  }

  @Test
  void hiddenNotifications_beforeAllAreMarkedAsRead_areNotSubtracted() {
    withHidden();
    readAll();
    assertThat(count().result()).isZero();
    notified(14_400_000, 1);
    harness
        .table
        .table()
        .putAll(List.of(notification(14_400_001, harness.world.user("dot"), true)));
    assertThat(count().result()).isEqualTo(1);
    harness.drain();

    assertThat(count().result()).isEqualTo(1);
  }

  @Test
  void hiddenNotifications_thatAreRetracted_areNotSubtracted() {
    var hidden = withHidden();
    harness.pause();
    harness.world.notifications.retract(hidden.getFirst().key());
    assertThat(count().result()).isEqualTo(3);
    harness.resume();
    harness.drain();
    harness.replay(Lane.COUNTS);

    assertThat(count()).isEqualTo(new Billed<>(3L, reads(2)));
  }

  @Test
  void hiddenNotifications_thatExpire_areNotSubtracted() {
    harness
        .table
        .table()
        .putAll(
            List.of(notification(-5, bob, true, Duration.ofHours(2)), notification(-4, bob, true)));
    harness.table.table().putAll(byCid(3));
    bob.blocks(ann);
    settle();
    waitUntilBlocksAreOld();
    assertThat(count()).isEqualTo(new Billed<>(3L, reads(3)));

    harness.table.clock().advance(Duration.ofHours(1));

    assertThat(count().result()).isEqualTo(3);
    settle();
    assertThat(count()).isEqualTo(new Billed<>(3L, reads(2)));
  }

  @Test
  void hiddenNotifications_ofABlockThatBeginsAgain_areHiddenAgain() {
    withHidden();
    bob.unblocks(ann);
    notified(100, 1);
    harness.drain();
    assertThat(count().result()).isEqualTo(6);

    bob.blocks(ann);
    assertThat(count().result()).isEqualTo(3);
    waitUntilBlocksAreOld();
    assertThat(count()).isEqualTo(new Billed<>(3L, reads(4)));
  }

  @Test
  void hiddenNotifications_ofAnActorWhoIsMutedAsWell_stayHiddenWithoutTheBlock() {
    withHidden();
    ann.mutes(bob);
    harness.table.clock().advance(Duration.ofDays(16));
    settle();
    assertThat(count().result()).isEqualTo(3);

    bob.unblocks(ann);
    assertThat(count().result()).isEqualTo(3);
    settle();
    assertThat(count().result()).isEqualTo(3);
  }

  /** The inbox names ten at most. */
  @Test
  void moreHiddenNotificationsThanTheInboxNames_areReadEachTime() {
    notified(0, 11);
    harness.table.table().putAll(byCid(1));
    bob.blocks(ann);
    settle();
    waitUntilBlocksAreOld();

    assertThat(count().result()).isEqualTo(1);
    assertThat(inbox().hiddenPlaces()).isEmpty();
    bob.unblocks(ann);
    assertThat(count().result()).isEqualTo(12);
  }

  /** A process of the earlier version takes a hash of the blocks alone for: they hide nothing. */
  @Test
  void hashOfBlocksThatHideSomething_isNotThatOfTheBlocks() {
    withHidden();
    var hiding = inbox().settledFor();
    readAll();
    harness.drain();
    settle();

    assertThat(hiding).isNotNull().isNotEqualTo(inbox().settledFor());
    assertThat(inbox().hiddenPlaces()).isEmpty();
  }

  @Test
  void anOldMuteThatHidesANotification_isReadEachTime() {
    notified(0, 2);
    harness.table.table().putAll(List.of(notification(5, harness.world.user("cid"), true)));
    ann.mutes(bob);
    settle();
    harness.table.clock().advance(Duration.ofDays(16));
    settle();

    assertThat(count().result()).isEqualTo(1);
    ann.unmutes(bob);
    assertThat(count().result()).isEqualTo(3);
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
