package social.feed.streams;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Inbox;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.testkit.SeedWorld.Person;

/** An account with notifications, and what the count of the unread ones costs. */
abstract class InboxScenario {
  static final ConsumedUnits ONE_READ = new ConsumedUnits(1, 0);
  static final ConsumedUnits ONE_WRITE = new ConsumedUnits(0, 1);

  StreamHarness harness;
  Person ann;
  Person bob;

  /** A time in the past, so that the notifications of a test are older than its clock. */
  Instant start;

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
  record Billed<T>(T result, ConsumedUnits units) {}

  <T> Billed<T> billed(Supplier<T> call) {
    try (var bill = harness.table.bill()) {
      var result = call.get();
      return new Billed<>(result, bill.take().units());
    }
  }

  Billed<Long> count() {
    return billed(() -> harness.world.notifications.unreadCount(ann.id()));
  }

  ConsumedUnits readAll() {
    var now = Timestamps.now(harness.table.clock());
    return billed(
            () -> {
              harness.world.notifications.markAllRead(ann.id(), now);
              return now;
            })
        .units();
  }

  Inbox inbox() {
    return harness.world.notifications.inbox(ann.id());
  }

  List<Notification> stored() {
    return harness.world.notifications.all(ann.id(), PageRequest.first(50)).items();
  }

  /** Lets the counts be settled: an exact count notes what it found. */
  void settle() {
    harness.drain();
    count();
    harness.drain();
    count();
    harness.drain();
  }

  List<Notification> notified(int from, int count) {
    var all =
        IntStream.range(from, from + count).mapToObj(i -> notification(i, bob, true)).toList();
    harness.table.table().putAll(all);
    return all;
  }

  Notification notification(int millis, Person actor, boolean isCounted) {
    return notification(millis, actor, isCounted, Duration.ofDays(90));
  }

  Notification notification(int millis, Person actor, boolean isCounted, Duration lives) {
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

  /** {@code -Dinbox.unread=5000} is the number of {@code .ci/nightly}. */
  static IntStream numbersOfUnread() {
    return IntStream.of(0, 10, Integer.getInteger("inbox.unread", 500));
  }
}
