package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The number of unread notifications of an account with blocks and mutes is exact, and costs the
 * same however many there are.
 */
class ITInboxBehindBlocks extends InboxScenario {
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
    harness.world.notifications.markRead(
        ann.id(), newest, hidden.getLast().notificationId(), _ -> true);
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
}
