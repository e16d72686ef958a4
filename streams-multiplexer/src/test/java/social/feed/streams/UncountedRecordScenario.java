package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Accounts with records that were not counted in order, and their dead letters. */
abstract class UncountedRecordScenario {
  static final AttributeValue ZERO = AttributeValue.fromN("0");

  StreamHarness harness;
  Person ann;
  Person bob;
  Person cleo;

  @BeforeEach
  void start() {
    harness = StreamHarness.startWithCelebrities();
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    cleo = harness.world.user("cleo");
    harness.drain();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  /** The dead letter of an uncounted follow of ann; the row of ann is repaired. */
  DeadLetter uncountedFollow() {
    harness.pause();
    bob.follows(ann);
    harness.unset(User.key(ann.id()), "followers_count");
    harness.resume();
    harness.drain();
    harness.set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(harness.deadLetters).hasSize(1);
    assertThat(harness.deadLetters.getFirst().shardId()).isPresent();
    return harness.deadLetters.getFirst();
  }

  /** The dead letter of a second follow of ann that her month rejected; the row is repaired. */
  DeadLetter uncountedMonth() {
    cleo.follows(ann);
    harness.drain();
    return uncounted(month().key(), month().key(), () -> bob.follows(ann));
  }

  DeadLetter uncounted(Key row, Key counted, Runnable cause) {
    harness.pause();
    cause.run();
    harness.unset(row, "revision");
    harness.resume();
    harness.drain();
    harness.set(row, "revision", AttributeValue.fromN("1"));
    assertThat(harness.deadLetters)
        .extracting(DeadLetter::handler)
        .containsExactly("counts at " + counted);
    return harness.deadLetters.getFirst();
  }

  TopAuthor month() {
    var key = TopAuthor.key(SampleRowLists.AT, ann.id());
    return (TopAuthor) harness.table.table().getAll(List.of(key), true).getFirst();
  }

  RedriveOutcome redrive(DeadLetter deadLetter) {
    return redrive(deadLetter, harness.ofMultiplexer);
  }

  RedriveOutcome redrive(DeadLetter deadLetter, Table table) {
    return harness.redriveOver(table).apply(deadLetter);
  }

  void assertCounted() {
    List<Row> rows = List.copyOf(harness.rows());
    assertThat(Counts.held(rows)).isEqualTo(Counts.recounted(rows));
  }
}
