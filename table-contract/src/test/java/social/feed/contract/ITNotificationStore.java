package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.PageFiller;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Inbox;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.UnreadRef;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;

/** A read notification leaves the unread index for good. */
@ExtendWith(EngineExtension.class)
class ITNotificationStore {
  private static final Instant TIME = ListContract.FIRST;
  private static final PageRequest PAGE = PageRequest.first(50);

  @Test
  void add_replay_isOneNotification(SeedWorld world) {
    var notification = notification(Names.fresh(), 0);
    world.notifications.add(notification);
    world.notifications.add(notification);

    assertThat(world.notifications.all(notification.userId(), PAGE).items())
        .containsExactly(notification);
    assertThat(world.notifications.unreadCount(notification.userId())).isEqualTo(1);
  }

  @Test
  void add_replayAfterRead_staysRead(SeedWorld world) {
    var notification = notification(Names.fresh(), 0);
    world.notifications.add(notification);
    world.notifications.markRead(notification.userId(), notification.notificationId());
    world.notifications.add(notification);

    assertThat(world.notifications.unreadCount(notification.userId())).isZero();
    assertThat(world.notifications.unread(notification.userId(), PAGE).items()).isEmpty();
    assertThat(world.notifications.all(notification.userId(), PAGE).items())
        .extracting(Notification::read)
        .containsExactly(true);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void addAll_replayAfterRead_addsWhatIsNew_andKeepsTheRest(int atOnce, SeedWorld world) {
    var user = Names.fresh();
    var all = IntStream.range(0, 45).mapToObj(i -> notification(user, i)).toList();
    world.notifications.addAll(all.subList(0, 30), atOnce);
    world.notifications.markRead(user, all.getFirst().notificationId());

    world.notifications.addAll(all, atOnce);

    assertThat(world.notifications.all(user, PAGE).items())
        .hasSize(45)
        .filteredOn(Notification::read)
        .extracting(Notification::notificationId)
        .containsExactly(all.getFirst().notificationId());
  }

  @Test
  void retract_several_amongThemAbsentOnesAndOneTwice_areGone(SeedWorld world) {
    var user = Names.fresh();
    var all = IntStream.range(0, 45).mapToObj(i -> notification(user, i)).toList();
    world.notifications.addAll(all.subList(0, 40), 1);
    var keys = new ArrayList<>(all.subList(1, 45).stream().map(Notification::key).toList());
    keys.add(keys.getFirst());

    world.notifications.retract(keys);

    assertThat(world.notifications.all(user, PAGE).items())
        .extracting(Notification::key)
        .containsExactly(all.getFirst().key());
  }

  @Test
  void markRead_repeat_isFoundAndChangesNothing(TestTable table, SeedWorld world) {
    var notification = notification(Names.fresh(), 0);
    world.notifications.add(notification);
    var user = notification.userId();
    var id = notification.notificationId();

    var first = Observed.of(table, () -> world.notifications.markRead(user, id));
    var second = Observed.of(table, () -> world.notifications.markRead(user, id));

    assertThat(first.answer()).isTrue();
    assertThat(second.answer()).isTrue();
    assertThat(first.cost().read()).isEqualTo(1);
    assertThat(second.cost()).isEqualTo(new ConsumedUnits(1, 0));
  }

  @Test
  void markRead_absentOrAnotherUsers_isFalseAndCreatesNothing(SeedWorld world) {
    var notification = notification(Names.fresh(), 0);
    var other = Names.fresh();
    world.notifications.add(notification);

    assertThat(world.notifications.markRead(other, notification.notificationId())).isFalse();
    assertThat(world.notifications.all(other, PAGE).items()).isEmpty();
    assertThat(world.notifications.unreadCount(notification.userId())).isEqualTo(1);
  }

  @Test
  void markRead_expired_isTreatedAsAbsent(TestTable table, SeedWorld world) {
    var user = Names.fresh();
    var notification = notification(user, 0, table.clock().instant().getEpochSecond() - 1);
    world.notifications.add(notification);

    assertThat(world.notifications.markRead(user, notification.notificationId())).isFalse();
    assertThat(world.notifications.unread(user, PAGE).items()).hasSize(1);
  }

  @Test
  void markRead_expiredGroup_isTreatedAsAbsent(TestTable table, SeedWorld world) {
    var user = Names.fresh();
    long expired = table.clock().instant().getEpochSecond() - 1;
    var older = notification(user, 0, expired);
    var newer = notification(user, 1, expired);
    world.notifications.add(older);
    world.notifications.add(newer);

    assertThat(
            world.notifications.markRead(
                user, newer.notificationId(), older.notificationId(), _ -> true))
        .isFalse();
    assertThat(world.notifications.unread(user, PAGE).items()).hasSize(2);
  }

  /** The list stops a group after as many, and a caller can name any two as its ends. */
  @Test
  void markRead_twoThatAreNoGroup_stopsAfterTwoThousand(TestTable table, SeedWorld world) {
    var user = Names.fresh();
    int stored = PageFiller.MAX_EXAMINED + 200;
    var follows = IntStream.range(0, stored).mapToObj(i -> follow(user, i)).toList();
    table.table().putAll(follows);

    assertThat(
            world.notifications.markRead(
                user,
                follows.getLast().notificationId(),
                follows.getFirst().notificationId(),
                _ -> true))
        .isTrue();

    assertThat(world.notifications.unreadCount(user)).isBetween(100L, 200L);
  }

  @Test
  void markRead_invalidId_isRejected(SeedWorld world) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> world.notifications.markRead("u", "no-id"));
  }

  @Test
  void retract_unreadOrAbsent_isGone(SeedWorld world) {
    var notification = notification(Names.fresh(), 0);
    world.notifications.add(notification);

    world.notifications.retract(notification.key());
    world.notifications.retract(notification.key());

    assertThat(world.notifications.all(notification.userId(), PAGE).items()).isEmpty();
    assertThat(world.notifications.unreadCount(notification.userId())).isZero();
  }

  @Test
  void unreadCount_excludesExpiredOnes(TestTable table, SeedWorld world) {
    var user = Names.fresh();
    long now = table.clock().instant().getEpochSecond();
    world.notifications.add(notification(user, 0, now + 3_600));
    world.notifications.add(notification(user, 1, now - 1));

    assertThat(world.notifications.unreadCount(user)).isEqualTo(1);
    var later = new Notifications(table.table(), Clock.offset(table.clock(), hours(2)));
    assertThat(later.unreadCount(user)).isZero();
  }

  @Test
  void unreadCount_withBlocksAndMutes_excludesTheirNotifications(TestTable table, SeedWorld world) {
    var user = Names.fresh();
    var three = many(user, 3);
    table.table().putAll(three);
    var now = table.clock().instant();
    var actor = three.getFirst().actorId();

    for (var barrier :
        List.of(
            new Block(user, actor, now),
            new BlockedBy(user, actor, now),
            Mute.of(user, actor, now, null))) {
      table.table().putAll(List.of(barrier));
      assertThat(world.notifications.unreadCount(user)).isZero();
      table.table().deleteAll(List.of(barrier.key()));
      assertThat(world.notifications.unreadCount(user)).isEqualTo(3);
    }
  }

  /** The service also bills a unit for a mute that is absent; the local engine does not. */
  @Test
  void unreadCount_ofAnAccountWithBlocks_isExactAndCostsHalfAUnitEach4KbAndOne(
      TestTable table, SeedWorld world) {
    var user = Names.fresh();
    var blocksAndMutes =
        List.of(
            new Block(user, Names.fresh(), ListContract.FIRST),
            Mute.of(user, Names.fresh(), ListContract.FIRST, null));
    table.table().putAll(blocksAndMutes);
    table.table().putAll(many(user, 10));
    var ten = Observed.of(table, () -> world.notifications.unreadCount(user));
    table.table().putAll(many(user, 50));
    var fifty = Observed.of(table, () -> world.notifications.unreadCount(user));

    assertThat(ten.answer()).isEqualTo(10);
    assertThat(ten.cost().read()).isEqualTo(1.5);
    assertThat(fifty.answer()).isEqualTo(50);
    assertThat(fifty.cost().read()).isEqualTo(3.5);
  }

  /** Others decide how many there are, and a young block lets each count read them. */
  @Test
  void unreadCount_ofMoreThanItReads_takesTheRestFromTheInbox(TestTable table, SeedWorld world) {
    var user = Names.fresh();
    var others = many(user, 15_000);
    var hidden =
        new Notification(
            user,
            TimeOrderedId.named(TIME.minusMillis(1), user),
            NotificationType.FOLLOW,
            "villain00001",
            null,
            TIME.minusMillis(1),
            false,
            1_900_000_000L);
    table.table().putAll(others);
    table.table().putAll(List.of(hidden, new Block(user, "villain00001", table.clock().instant())));
    long counted = others.size() + 1;
    var inbox = new Inbox(user, counted, Map.of(), true, null, null, null, 1, 1, null, null, null);
    table.table().putAll(List.of(inbox));

    var count = Observed.of(table, () -> world.notifications.unreadCount(user));

    assertThat(count.answer()).isEqualTo(others.size());
    assertThat(count.cost().read()).isBetween(100.0, 290.0);
    table.table().deleteAll(List.of(Block.key(user, "villain00001")));
    assertThat(world.notifications.unreadCount(user)).isEqualTo(counted);
    var noted = Observed.of(table, () -> world.notifications.unreadCount(user));
    assertThat(noted.answer()).isEqualTo(counted);
    assertThat(noted.cost().read()).isEqualTo(1);
  }

  @Test
  void markAllRead_upToATime_includesThatTimeAndNothingLater(SeedWorld world) {
    var user = world.user("ann").id();
    IntStream.range(0, 5).forEach(i -> world.notifications.add(notification(user, i)));

    world.notifications.markAllRead(user, TIME.plusMillis(2));

    assertThat(world.notifications.unread(world.notifications.inbox(user), PAGE).items())
        .extracting(UnreadRef::createdAt)
        .containsExactly(TIME.plusMillis(4), TIME.plusMillis(3));
    assertThat(world.notifications.unreadCount(user)).isEqualTo(2);
    world.inboxes.advance(user);
    assertThat(world.notifications.unreadCount(user)).isEqualTo(2);
    world.inboxes.advance(user);
    assertThat(world.notifications.all(user, PAGE).items())
        .extracting(Notification::read)
        .containsExactly(false, false, true, true, true);
    assertThat(world.notifications.inbox(user).readUpTo()).isNull();
  }

  /** The time of a caller can be more precise than the milliseconds in keys. */
  @Test
  void markAllRead_upToATimeInNanoseconds_includesItsMillisecond(SeedWorld world) {
    var user = world.user("ann").id();
    IntStream.range(0, 3).forEach(i -> world.notifications.add(notification(user, i)));

    world.notifications.markAllRead(user, TIME.plusMillis(1).plusNanos(999_999));

    assertThat(world.notifications.unreadCount(user)).isEqualTo(1);
  }

  @Test
  void markAllRead_anEarlierTime_keepsTheLaterOne(SeedWorld world) {
    var user = world.user("ann").id();
    IntStream.range(0, 3).forEach(i -> world.notifications.add(notification(user, i)));

    world.notifications.markAllRead(user, TIME.plusMillis(1));
    world.notifications.markAllRead(user, TIME);

    assertThat(world.notifications.unreadCount(user)).isEqualTo(1);
  }

  /** The stream has not brought the rows up to date by then. */
  @Test
  void markAllRead_aLaterTime_replacesTheEarlierOne(SeedWorld world) {
    var user = world.user("ann").id();
    IntStream.range(0, 3).forEach(i -> world.notifications.add(notification(user, i)));

    world.notifications.markAllRead(user, TIME);
    world.notifications.markAllRead(user, TIME.plusMillis(1));

    assertThat(world.notifications.unreadCount(user)).isEqualTo(1);
  }

  @Test
  void markAllRead_withoutAnAccount_writesNothing(SeedWorld world) {
    var notification = notification(Names.fresh(), 0);

    world.notifications.markAllRead(notification.userId(), TIME);

    assertThat(world.inboxes.get(notification.userId())).isEmpty();
  }

  private static Duration hours(int hours) {
    return Duration.ofHours(hours);
  }

  private static List<Notification> many(String user, int count) {
    return IntStream.range(0, count).mapToObj(i -> notification(user, i)).toList();
  }

  private static Notification follow(String user, int millis) {
    var time = TIME.plusMillis(millis);
    var id = TimeOrderedId.named(time, user, "follow");
    return new Notification(
        user, id, NotificationType.FOLLOW, "actor00001", null, time, false, 1_900_000_000L);
  }

  private static Notification notification(String user, int millis) {
    return notification(user, millis, 1_900_000_000L);
  }

  private static Notification notification(String user, int millis, long expiresAt) {
    var time = TIME.plusMillis(millis);
    var id = TimeOrderedId.named(time, user, "like");
    var post = TimeOrderedId.named(time, "post");
    return new Notification(
        user, id, NotificationType.LIKE, "actor00001", post, time, false, expiresAt);
  }
}
