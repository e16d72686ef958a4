package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.plan.Plan;
import social.feed.table.counter.CountChange;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;

class CountsRunnerTest {
  private static final DynamodbStreamRecord UNREADABLE = StreamRecords.of(9, "INSERT", null, null);

  private final Map<Key, List<CountChange>> applied = new HashMap<>();
  private final Map<Key, RuntimeException> failing = new HashMap<>();
  private final List<Key> leftOut = new ArrayList<>();
  private final List<DeadLetter> letters = new ArrayList<>();
  private final CountsRunner runner =
      new CountsRunner(
          new Plan(Duration.ofDays(90)),
          this::apply,
          (_, changes) -> leftOut.addAll(changes.keySet()),
          letters::add);

  @Test
  void run_batch_isOneApplicationAnItemInTheOrderOfTheStream() {
    assertThat(runner.run("shard", List.of(follow(1, "a"), follow(2, "b"), follow(3, "a"))))
        .isEmpty();
    assertThat(applied.get(User.key("a")))
        .extracting(CountChange::sequenceNumber)
        .containsExactly(StreamRecords.sequence(1), StreamRecords.sequence(3));
    assertThat(applied).containsOnlyKeys(User.key("a"), User.key("b"), gained("a"), gained("b"));
  }

  @Test
  void run_failureThatMayPass_reportsTheFirstRecord() {
    failing.put(User.key("b"), new ThrottledException("test", 1, 1));
    var records = List.of(follow(1, "a"), follow(2, "b"));
    assertThat(runner.run("shard", records)).contains(records.getFirst());
    assertThat(letters).isEmpty();
  }

  @Test
  void run_itemThatCannotBeCounted_isOneLetterARecordAndItsNeighboursAreDone() {
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    assertThat(runner.run("shard", List.of(follow(1, "a"), follow(2, "b"), follow(3, "c"))))
        .isEmpty();
    assertThat(applied)
        .containsOnlyKeys(User.key("a"), gained("a"), gained("b"), User.key("c"), gained("c"));
    assertThat(letters)
        .containsExactly(
            DeadLetter.ofCount(
                "shard", User.key("b"), "IllegalArgumentException: no counter", follow(2, "b")));
    assertThat(leftOut).containsExactly(User.key("b"));
  }

  @Test
  void run_markThatCannotBeMovedNow_comesAgain() {
    var busy =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, _) -> {
              throw new ThrottledException("test", 1, 1);
            },
            letters::add);
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    var records = List.of(follow(1, "a"), follow(2, "b"), follow(3, "c"));
    assertThat(busy.run("shard", records)).contains(records.get(1));
    assertThat(letters).hasSize(1);
  }

  @Test
  void run_markThatCanNeverBeMoved_keepsNothingFromItsNeighbours() {
    var broken =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, _) -> {
              throw new IllegalArgumentException("no marks");
            },
            letters::add);
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    assertThat(broken.run("shard", List.of(follow(2, "b"), follow(3, "c")))).isEmpty();
    assertThat(applied).containsOnlyKeys(gained("b"), User.key("c"), gained("c"));
  }

  @Test
  void run_itemThatCannotBeCountedBesideAnUnreadableRecord_isOneLetterEach() {
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    runner.run("shard", List.of(follow(1, "a"), UNREADABLE, follow(10, "b")));
    assertThat(letters).hasSize(2);
    assertThat(applied).containsOnlyKeys(User.key("a"), gained("a"), gained("b"));
  }

  @Test
  void run_unreadableRecordInABatchThatComesAgain_isOneLetter() {
    failing.put(User.key("a"), new ThrottledException("test", 1, 1));
    var behind = follow(10, "a");
    assertThat(runner.run("shard", List.of(UNREADABLE, behind))).contains(behind);
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(runner.run("shard", List.of(behind, UNREADABLE))).contains(behind);
    }
    failing.clear();
    assertThat(runner.run("shard", List.of(behind))).isEmpty();
    assertThat(letters).hasSize(1);
    assertThat(applied).containsOnlyKeys(User.key("a"), gained("a"));
  }

  @Test
  void run_unreadableRecord_isLeftOutBetweenWhatIsBeforeAndBehindIt() {
    var unreadable = follow(2, "a");
    unreadable.getDynamodb().getNewImage().remove("created_at");
    var order = new ArrayList<String>();
    var ann = User.key("a");
    var watched =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            (_, changes) -> order.add("count " + changes.get(ann)),
            (_, changes) -> order.add("leave out " + changes.get(ann)),
            letters::add);
    watched.run("shard", List.of(follow(1, "a"), unreadable, follow(3, "a")));
    assertThat(order)
        .containsExactly(
            "count " + List.of(change(1, 1)),
            "leave out " + List.of(change(2, 0)),
            "count " + List.of(change(3, 1)));
    assertThat(letters).hasSize(1);
  }

  @Test
  void run_unreadableRecordForSeveralItems_isLeftOutOfEachWhateverBecomesOfTheOthers() {
    var unreadable = follow(2, "a");
    unreadable.getDynamodb().getNewImage().remove("follower_id");
    var asked = new ArrayList<Key>();
    var broken =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, changes) -> {
              asked.addAll(changes.keySet());
              throw new IllegalArgumentException("no marks");
            },
            letters::add);
    assertThat(broken.run("shard", List.of(unreadable))).isEmpty();
    assertThat(asked).containsExactly(User.key("a"), gained("a"));
    assertThat(letters).hasSize(1);
  }

  @Test
  void run_unreadableRecordWhoseMarkCannotBeMovedNow_comesAgain() {
    var unreadable = follow(2, "a");
    unreadable.getDynamodb().getNewImage().remove("created_at");
    var busy =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, _) -> {
              throw new ThrottledException("test", 1, 1);
            },
            letters::add);
    assertThat(busy.run("shard", List.of(unreadable, follow(3, "b")))).contains(unreadable);
    assertThat(applied).isEmpty();
  }

  @Test
  void run_lettersCannotBeKept_comesAgain() {
    var down =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, _) -> {},
            letter -> {
              throw new IllegalStateException("queue is down");
            });
    assertThatThrownBy(() -> down.run("shard", List.of(UNREADABLE))).hasMessage("queue is down");
  }

  private void apply(String shard, Map<Key, List<CountChange>> changes) {
    for (var key : changes.keySet()) {
      var failure = failing.get(key);
      if (failure != null) {
        throw failure;
      }
    }
    applied.putAll(changes);
  }

  private static Key gained(String followee) {
    return TopAuthor.key(SampleRowLists.AT, followee);
  }

  private static CountChange change(int number, long delta) {
    return new CountChange(StreamRecords.sequence(number), User.FOLLOWERS_COUNT, delta);
  }

  private static DynamodbStreamRecord follow(int number, String followee) {
    return StreamRecords.inserted(number, Follow.of("f" + number, followee, SampleRowLists.AT));
  }
}
