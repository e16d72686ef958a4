package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.RedriveOutcome.AppliedBefore;
import social.feed.streams.RedriveOutcome.Failed;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Table;
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
 * A count that could not be made in its turn is made once, whatever the stream does before and
 * after.
 */
class ITDeferredCounters extends UncountedRecordScenario {
  @Test
  void count_redrivenTwice_countsOnce() {
    var letter = uncountedFollow();
    assertThat(redrive(letter))
        .isEqualTo(new Applied(List.of("+1 followers_count of " + User.key(ann.id()))));
    assertThat(redrive(letter)).isInstanceOf(AppliedBefore.class);
    assertCounted();
  }

  @Test
  void count_ofAStreamThatComesAgainAfterwards_isCountedOnce() {
    var letter = uncountedFollow();
    redrive(letter);
    harness.replay(Lane.COUNTS);
    assertCounted();
    assertThat(harness.letters).hasSize(1);
  }

  @Test
  void count_ofAStreamThatComesAgainBefore_isCountedOnce() {
    var letter = uncountedFollow();
    harness.replay(Lane.COUNTS);
    assertThat(ann.account().followersCount()).as("the letter owns it").isZero();
    redrive(letter);
    harness.replay(Lane.COUNTS);
    assertCounted();
  }

  @Test
  void count_afterOthersWereCounted_isAddedToThem() {
    var letter = uncountedFollow();
    cleo.follows(ann);
    harness.drain();
    redrive(letter);
    redrive(letter);
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
    assertThat(harness.letters).hasSize(2);
    redrive(harness.letters.getLast());
    harness.replay(Lane.COUNTS);
    redrive(harness.letters.getFirst());
    redrive(harness.letters.getLast());
    harness.replay(Lane.COUNTS);
    assertThat(ann.account().followersCount()).isEqualTo(2);
    assertCounted();
  }

  @Test
  void count_ofAnItemThatLacksItsMarksToo_isLeftOutAndCountedOnce() {
    harness.pause();
    bob.follows(ann);
    harness.unset(User.key(ann.id()), "followers_count");
    harness.unset(User.key(ann.id()), "marks");
    harness.resume();
    harness.drain();
    harness.set(User.key(ann.id()), "followers_count", ZERO);
    harness.replay(Lane.COUNTS);
    redrive(harness.letters.getFirst());
    harness.replay(Lane.COUNTS);
    assertCounted();
  }

  @Test
  void count_whileTheCauseIsThere_failsAndCountsNothing() {
    var letter = uncountedFollow();
    harness.unset(User.key(ann.id()), "followers_count");
    assertThat(redrive(letter))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("lacks followers_count");
    harness.set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(redrive(letter)).isInstanceOf(Applied.class);
    assertCounted();
  }

  @Test
  void count_besideTheStream_triesAgainAndIsExact() {
    var letter = uncountedFollow();
    harness.between.before(
        TransactWriteItemsRequest.class::isInstance,
        () -> {
          cleo.follows(ann);
          harness.drain();
        });
    redrive(letter);
    assertThat(harness.between.happened()).isTrue();
    assertThat(ann.account().followersCount()).isEqualTo(2);
    assertCounted();
  }

  @Test
  void count_thatReachesTheThreshold_makesACelebrity() {
    var letter = uncountedFollow();
    for (int i = 1; i < StreamHarness.CELEBRITY; i++) {
      harness.world.user("fan" + i).follows(ann);
    }
    harness.drain();
    assertThat(ann.account().isCelebrity()).isFalse();
    redrive(letter);
    assertThat(ann.account().isCelebrity()).isTrue();
  }

  @Test
  void count_ofAnAccountThatIsGone_leavesNothing() {
    var letter = uncountedFollow();
    harness
        .table
        .client()
        .deleteItem(
            d ->
                d.tableName(harness.table.table().name())
                    .key(KeyAttributes.of(User.key(ann.id()))));
    assertThat(redrive(letter)).isInstanceOf(AppliedBefore.class);
    assertThat(harness.table.table().get(User.key(ann.id()))).isEmpty();
  }

  /** What the month's row cannot take has a letter of its own, and the account counts. */
  @Test
  void count_ofAMonthThatCannotBeRead_isMadeOnceAndTheAccountCountsMeanwhile() {
    var letter = uncountedMonth();
    assertThat(ann.account().followersCount()).isEqualTo(2);
    for (int time = 1; time <= 2; time++) {
      redrive(letter);
      harness.replay(Lane.COUNTS);
      assertCounted();
    }
    assertThat(ann.account().followersCount()).isEqualTo(2);
  }

  @Test
  void count_ofAMonthOfAStreamThatComesAgainBefore_isMadeByItsLetterAlone() {
    var letter = uncountedMonth();
    harness.replay(Lane.COUNTS);
    assertThat(month().gained()).as("the letter owns it").isEqualTo(1);
    assertThat(redrive(letter)).isInstanceOf(Applied.class);
    assertCounted();
  }

  @Test
  void count_withoutItsShard_isRefused() {
    var letter = uncountedFollow();
    var old = new DeadLetter("counts", letter.reason(), Optional.empty(), letter.record(), false);
    assertThat(redrive(old))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("verify --fix");
  }

  @Test
  void count_thatTheStreamMadeAfterItsLetterWasSent_isNotMadeAgain() {
    var event = cutOffBeforeItsMark();
    harness.set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(harness.multiplexer.handle(event).getBatchItemFailures()).isEmpty();
    assertThat(ann.account().followersCount()).isEqualTo(1);
    assertThat(redrive(harness.letters.getFirst())).isInstanceOf(AppliedBefore.class);
    assertThat(ann.account().followersCount()).isEqualTo(1);
  }

  @Test
  void count_thatNobodyHasLeftOutYet_isLeftToTheStream() {
    var event = cutOffBeforeItsMark();
    harness.set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(redrive(harness.letters.getFirst()))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("the stream may bring it again");
    assertThat(harness.multiplexer.handle(event).getBatchItemFailures()).isEmpty();
    assertThat(redrive(harness.letters.getFirst())).isInstanceOf(AppliedBefore.class);
    assertThat(ann.account().followersCount()).isEqualTo(1);
  }

  @Test
  void count_ofAnItemWhoseMarksAreNone_isLeftOutAndCountedOnce() {
    harness.pause();
    bob.follows(ann);
    harness.set(User.key(ann.id()), "marks", AttributeValue.fromS("spoilt"));
    harness.resume();
    harness.drain();
    assertThat(harness.letters).hasSize(1);
    redrive(harness.letters.getFirst());
    harness.replay(Lane.COUNTS);
    redrive(harness.letters.getFirst());
    assertCounted();
  }

  @Test
  void count_cutOffAtAnyWrite_isCountedOnce() {
    harness.pause();
    var sound = CrashPoint.counting();
    countLate(1, sound);
    assertThat(sound.writes())
        .as("the month, the mark, the count with its proof, and its repeat")
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

  /** Leaves a follow out and redrives it, each until it is done, and both once more. */
  private void countLate(int record, CrashPoint point) {
    var author = harness.world.user("author" + record);
    var event = EntryContract.window(StreamRecords.inserted(record, bob.follows(author)));
    harness.unset(User.key(author.id()), "followers_count");
    var table = harness.table.table();
    var wired = new Table(new WiredClient(table.client(), point), table.name(), table.retry());
    var letters = new ArrayList<DeadLetter>();
    var multiplexer =
        new Multiplexer(
            wired,
            StreamHarness.PLAN,
            harness.handlers,
            new CelebrityRule(StreamHarness.CELEBRITY),
            letters::add,
            harness.table.clock());
    untilDone(point, () -> multiplexer.handle(event).getBatchItemFailures().isEmpty());
    harness.set(User.key(author.id()), "followers_count", ZERO);
    for (int time = 1; time <= 2; time++) {
      for (var letter : letters) {
        untilDone(point, () -> !(redrive(letter, wired) instanceof Failed));
      }
      assertThat(multiplexer.handle(event).getBatchItemFailures()).isEmpty();
    }
    assertThat(author.account().followersCount()).as("of %s", author.id()).isEqualTo(1);
    assertThat(table.getAll(List.of(TopAuthor.key(SampleRowLists.AT, author.id())), true))
        .extracting(row -> ((TopAuthor) row).gained())
        .containsExactly(1L);
  }

  /** As an event source, or somebody who redrives, keeps at it over crashes. */
  private static void untilDone(CrashPoint point, BooleanSupplier attempt) {
    for (int attempts = 1; attempts <= 3; attempts++) {
      try {
        if (attempt.getAsBoolean()) {
          return;
        }
      } catch (CrashPoint.Crash e) {
        point.revive();
      }
    }
    throw new AssertionError("Not done in three attempts");
  }

  /** What brings a follow of ann whose letter was sent, but whose mark has not been moved. */
  private DynamodbTimeWindowEvent cutOffBeforeItsMark() {
    harness.pause();
    var event = EntryContract.window(StreamRecords.inserted(1, bob.follows(ann)));
    harness.unset(User.key(ann.id()), "followers_count");
    harness.between.before(
        TransactWriteItemsRequest.class::isInstance,
        () -> {
          throw TransactionConflictException.builder().statusCode(400).build();
        });
    assertThat(harness.multiplexer.handle(event).getBatchItemFailures()).hasSize(1);
    assertThat(harness.letters).hasSize(1);
    return event;
  }
}
