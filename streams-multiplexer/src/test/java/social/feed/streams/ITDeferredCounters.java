package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.RedriveOutcome.AppliedBefore;
import social.feed.streams.RedriveOutcome.Failed;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.plan.Lane;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.counter.DeferredCounters;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Inbox;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.fault.CrashPoint;
import social.feed.testkit.fault.CrashPoint.Side;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/**
 * A count that could not be applied in order is applied once, whatever the stream delivers before
 * and after.
 */
class ITDeferredCounters extends UncountedRecordScenario {
  @Test
  void count_redrivenTwice_countsOnce() {
    var deadLetter = uncountedFollow();
    assertThat(redrive(deadLetter))
        .isEqualTo(new Applied(List.of("+1 followers_count of " + User.key(ann.id()))));
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    assertCounted();
  }

  @Test
  void count_withAReplayAfterTheRedrive_isCountedOnce() {
    var deadLetter = uncountedFollow();
    redrive(deadLetter);
    harness.replay(Lane.COUNTS);
    assertCounted();
    assertThat(harness.deadLetters).hasSize(1);
  }

  @Test
  void count_withAReplayBeforeTheRedrive_isCountedOnce() {
    var deadLetter = uncountedFollow();
    harness.replay(Lane.COUNTS);
    assertThat(ann.account().followersCount()).as("left to the dead letter").isZero();
    redrive(deadLetter);
    harness.replay(Lane.COUNTS);
    assertCounted();
  }

  @Test
  void count_afterOthersWereCounted_isAddedToThem() {
    var deadLetter = uncountedFollow();
    cleo.follows(ann);
    harness.drain();
    redrive(deadLetter);
    redrive(deadLetter);
    harness.replay(Lane.COUNTS);
    assertThat(ann.account().followersCount()).isEqualTo(2);
    assertCounted();
  }

  @Test
  void counts_redrivenInAnyOrder_areEachCountedOnce() {
    harness.pause();
    bob.follows(ann);
    cleo.follows(ann);
    harness.unset(User.key(ann.id()), "followers_count");
    harness.resume();
    harness.drain();
    harness.set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(harness.deadLetters).hasSize(2);
    redrive(harness.deadLetters.getLast());
    harness.replay(Lane.COUNTS);
    redrive(harness.deadLetters.getFirst());
    redrive(harness.deadLetters.getLast());
    harness.replay(Lane.COUNTS);
    assertThat(ann.account().followersCount()).isEqualTo(2);
    assertCounted();
  }

  @Test
  void count_ofAnItemWithoutCheckpoints_isLeftOutAndCountedOnce() {
    harness.pause();
    bob.follows(ann);
    harness.unset(User.key(ann.id()), "followers_count");
    harness.unset(User.key(ann.id()), "marks");
    harness.resume();
    harness.drain();
    harness.set(User.key(ann.id()), "followers_count", ZERO);
    harness.replay(Lane.COUNTS);
    redrive(harness.deadLetters.getFirst());
    harness.replay(Lane.COUNTS);
    assertCounted();
  }

  @Test
  void count_whileTheItemIsDamaged_failsAndCountsNothing() {
    var deadLetter = uncountedFollow();
    harness.unset(User.key(ann.id()), "followers_count");
    assertThat(redrive(deadLetter))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("lacks followers_count");
    harness.set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(redrive(deadLetter)).isInstanceOf(Applied.class);
    assertCounted();
  }

  @Test
  void count_concurrentWithTheStream_isRetriedAndExact() {
    var deadLetter = uncountedFollow();
    harness.between.before(
        TransactWriteItemsRequest.class::isInstance,
        () -> {
          cleo.follows(ann);
          harness.drain();
        });
    redrive(deadLetter);
    assertThat(harness.between.happened()).isTrue();
    assertThat(ann.account().followersCount()).isEqualTo(2);
    assertCounted();
  }

  @Test
  void count_thatReachesTheThreshold_makesACelebrity() {
    var deadLetter = uncountedFollow();
    for (int i = 1; i < StreamHarness.CELEBRITY; i++) {
      harness.world.user("fan" + i).follows(ann);
    }
    harness.drain();
    assertThat(ann.account().isCelebrity()).isFalse();
    redrive(deadLetter);
    assertThat(ann.account().isCelebrity()).isTrue();
  }

  @Test
  void count_ofAnAccountThatIsGone_leavesNothing() {
    var deadLetter = uncountedFollow();
    harness
        .table
        .client()
        .deleteItem(
            d ->
                d.tableName(harness.table.table().name())
                    .key(KeyAttributes.of(User.key(ann.id()))));
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    assertThat(harness.table.table().get(User.key(ann.id()))).isEmpty();
  }

  /** A count that the month's row rejects has a dead letter of its own, and the account counts. */
  @Test
  void count_ofADamagedMonth_isAppliedOnce_andTheAccountCountsMeanwhile() {
    var deadLetter = uncountedMonth();
    assertThat(ann.account().followersCount()).isEqualTo(2);
    for (int time = 1; time <= 2; time++) {
      redrive(deadLetter);
      harness.replay(Lane.COUNTS);
      assertCounted();
    }
    assertThat(ann.account().followersCount()).isEqualTo(2);
  }

  @Test
  void count_ofAMonthWithAReplayBeforeTheRedrive_isAppliedByItsDeadLetterOnly() {
    var deadLetter = uncountedMonth();
    harness.replay(Lane.COUNTS);
    assertThat(month().gained()).as("left to the dead letter").isEqualTo(1);
    assertThat(redrive(deadLetter)).isInstanceOf(Applied.class);
    assertCounted();
  }

  @Test
  void count_withoutItsShard_isRefused() {
    var deadLetter = uncountedFollow();
    var old =
        new DeadLetter("counts", deadLetter.reason(), Optional.empty(), deadLetter.record(), false);
    assertThat(redrive(old))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("verify --fix");
  }

  @Test
  void count_thatTheStreamAppliedAfterItsDeadLetterWasSent_isNotAppliedAgain() {
    var event = cutOffBeforeItsCheckpoint();
    harness.set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(harness.multiplexer.handle(Lane.COUNTS, event).getBatchItemFailures()).isEmpty();
    assertThat(ann.account().followersCount()).isEqualTo(1);
    assertThat(redrive(harness.deadLetters.getFirst())).isInstanceOf(AppliedBefore.class);
    assertThat(ann.account().followersCount()).isEqualTo(1);
  }

  @Test
  void count_thatIsNotLeftOutYet_isLeftToTheStream() {
    var event = cutOffBeforeItsCheckpoint();
    harness.set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(redrive(harness.deadLetters.getFirst()))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("the stream may bring it again");
    assertThat(harness.multiplexer.handle(Lane.COUNTS, event).getBatchItemFailures()).isEmpty();
    assertThat(redrive(harness.deadLetters.getFirst())).isInstanceOf(AppliedBefore.class);
    assertThat(ann.account().followersCount()).isEqualTo(1);
  }

  @Test
  void count_ofAnItemWithMalformedCheckpoints_isLeftOutAndCountedOnce() {
    harness.pause();
    bob.follows(ann);
    harness.set(User.key(ann.id()), "marks", AttributeValue.fromS("malformed"));
    harness.resume();
    harness.drain();
    assertThat(harness.deadLetters).hasSize(1);
    redrive(harness.deadLetters.getFirst());
    harness.replay(Lane.COUNTS);
    redrive(harness.deadLetters.getFirst());
    assertCounted();
  }

  @Test
  void count_ofAFirstNotification_isLeftOutAndCountedOnce() {
    var table = harness.table.table();
    var rule = new CelebrityRule(StreamHarness.CELEBRITY);
    var deferred = new DeferredCounters(table, Optional.of(rule), harness.table.clock());
    var inbox = Inbox.key(ann.id());
    var changes = List.of(new CountChange("1".repeat(21), Inbox.UNREAD, 1));
    assertThat(table.get(inbox)).isEmpty();

    deferred.leaveOut("shard", Map.of(inbox, changes));
    deferred.leaveOut("shard", Map.of(inbox, changes));
    new Counters(table, rule).apply("shard", Map.of(inbox, changes));
    assertThat(harness.world.notifications.inbox(ann.id()).unread()).isZero();

    assertThat(deferred.apply("shard", inbox, changes.getFirst())).isTrue();
    assertThat(deferred.apply("shard", inbox, changes.getFirst())).isFalse();
    new Counters(table, rule).apply("shard", Map.of(inbox, changes));
    assertThat(harness.world.notifications.inbox(ann.id()).unread()).isEqualTo(1);
  }

  @Test
  void count_ofAFirstNotification_thatIsRemovedOrOfNoAccount_leavesNothing() {
    var table = harness.table.table();
    var rule = new CelebrityRule(StreamHarness.CELEBRITY);
    var deferred = new DeferredCounters(table, Optional.of(rule), harness.table.clock());
    var gone = Inbox.key("gone");
    var added = new CountChange("1".repeat(21), Inbox.UNREAD, 1);
    var removed = new CountChange("1".repeat(21), Inbox.UNREAD, -1);

    deferred.leaveOut("shard", Map.of(gone, List.of(added), Inbox.key(ann.id()), List.of(removed)));

    assertThat(table.get(gone)).isEmpty();
    assertThat(table.get(Inbox.key(ann.id()))).isEmpty();
  }

  @Test
  void count_cutOffAtAnyWrite_isCountedOnce() {
    harness.pause();
    var sound = CrashPoint.counting();
    countLate(1, sound);
    assertThat(sound.writes())
        .as("the month, the checkpoint, the count with its pending count, and its repetition")
        .isEqualTo(4);
    int record = 1;
    for (int at = 1; at <= sound.writes(); at++) {
      for (var side : Side.values()) {
        var point = new CrashPoint(at, side);
        countLate(++record, point);
        assertThat(point.happened()).as("%s %d", side, at).isTrue();
      }
    }
  }

  /** Leaves a follow out and redrives it, each until it succeeds, and repeats both once. */
  private void countLate(int record, CrashPoint point) {
    var author = harness.world.user("author" + record);
    var event = EntryContract.window(StreamRecords.inserted(record, bob.follows(author)));
    harness.unset(User.key(author.id()), "followers_count");
    var table = harness.table.table();
    var wired = new Table(WiredClient.of(table.client(), point), table.name(), table.retry());
    var deadLetters = new ArrayList<DeadLetter>();
    var multiplexer =
        new Multiplexer(
            wired,
            StreamHarness.PLAN,
            harness.handlers,
            new CelebrityRule(StreamHarness.CELEBRITY),
            deadLetters::add,
            harness.table.clock());
    untilDone(point, () -> multiplexer.handle(Lane.COUNTS, event).getBatchItemFailures().isEmpty());
    harness.set(User.key(author.id()), "followers_count", ZERO);
    for (int time = 1; time <= 2; time++) {
      for (var deadLetter : deadLetters) {
        untilDone(point, () -> !(redrive(deadLetter, wired) instanceof Failed));
      }
      assertThat(multiplexer.handle(Lane.COUNTS, event).getBatchItemFailures()).isEmpty();
    }
    assertThat(author.account().followersCount()).as("of %s", author.id()).isEqualTo(1);
    assertThat(table.getAll(List.of(TopAuthor.key(SampleRowLists.AT, author.id())), true))
        .extracting(row -> ((TopAuthor) row).gained())
        .containsExactly(1L);
  }

  /** Retries over crashes, as an event source or an operator does. */
  private static void untilDone(CrashPoint point, BooleanSupplier attempt) {
    for (int attempts = 1; attempts <= 3; attempts++) {
      try {
        if (attempt.getAsBoolean()) {
          return;
        }
      } catch (CrashPoint.Crash e) {
        point.restart();
      }
    }
    throw new AssertionError("Not done in three attempts");
  }

  /**
   * The event of a follow of ann whose dead letter was sent, but whose checkpoint was not moved.
   */
  private DynamodbTimeWindowEvent cutOffBeforeItsCheckpoint() {
    harness.pause();
    var event = EntryContract.window(StreamRecords.inserted(1, bob.follows(ann)));
    harness.unset(User.key(ann.id()), "followers_count");
    harness.between.before(
        TransactWriteItemsRequest.class::isInstance,
        () -> {
          throw TransactionConflictException.builder().statusCode(400).build();
        });
    assertThat(harness.multiplexer.handle(Lane.COUNTS, event).getBatchItemFailures()).hasSize(1);
    assertThat(harness.deadLetters).hasSize(1);
    return event;
  }
}
