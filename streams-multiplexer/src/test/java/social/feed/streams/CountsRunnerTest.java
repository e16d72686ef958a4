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
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;

class CountsRunnerTest {
  private static final DynamodbStreamRecord UNREADABLE = StreamRecords.of(9, "INSERT", null, null);

  private final Map<Key, List<CountChange>> applied = new HashMap<>();
  private final Map<Key, RuntimeException> failing = new HashMap<>();
  private int calls;
  private final List<Key> leftOut = new ArrayList<>();
  private final List<DeadLetter> deadLetters = new ArrayList<>();
  private final CountsRunner runner =
      new CountsRunner(
          new Plan(Duration.ofDays(90)),
          this::apply,
          (_, changes) -> leftOut.addAll(changes.keySet()),
          deadLetters::add);

  @Test
  void run_batch_isOneUpdateAnItemInTheOrderOfTheStream() {
    assertThat(runner.run("shard", List.of(follow(1, "a"), follow(2, "b"), follow(3, "a"))))
        .isEmpty();
    assertThat(applied.get(User.key("a")))
        .extracting(CountChange::sequenceNumber)
        .containsExactly(StreamRecords.sequence(1), StreamRecords.sequence(3));
    assertThat(applied).containsOnlyKeys(User.key("a"), User.key("b"), gained("a"), gained("b"));
  }

  @Test
  void run_itemThatIsThrottled_reportsItsFirstRecord_andTheOthersAreDone() {
    failing.put(User.key("b"), new ThrottledException("test", 1, 1));
    var records = List.of(follow(1, "a"), follow(2, "b"), follow(3, "b"), follow(4, "c"));
    assertThat(runner.run("shard", records)).contains(records.get(1));
    assertThat(deadLetters).isEmpty();
    assertThat(applied)
        .containsOnlyKeys(User.key("a"), gained("a"), gained("b"), User.key("c"), gained("c"));
  }

  @Test
  void run_severalItemsThatAreThrottled_reportsTheFirstRecordOfAll() {
    failing.put(User.key("c"), new ThrottledException("test", 1, 1));
    failing.put(User.key("b"), new ThrottledException("test", 1, 1));
    var records = List.of(follow(1, "a"), follow(2, "b"), follow(3, "c"));
    assertThat(runner.run("shard", records)).contains(records.get(1));
  }

  /** Dead letters of one item do not count the records of the others again, one by one. */
  @Test
  void run_itemThatCannotBeCounted_isTheOnlyOneThatIsTriedRecordByRecord() {
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    var records = new ArrayList<>(List.of(follow(1, "b")));
    for (int i = 2; i <= 50; i++) {
      records.add(follow(i, "a"));
    }
    assertThat(runner.run("shard", records)).isEmpty();
    assertThat(calls).isEqualTo(2);
    assertThat(deadLetters).hasSize(1);
  }

  @Test
  void run_itemThatCannotBeCounted_isOneDeadLetterARecordAndItsNeighborsAreDone() {
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    assertThat(runner.run("shard", List.of(follow(1, "a"), follow(2, "b"), follow(3, "c"))))
        .isEmpty();
    assertThat(applied)
        .containsOnlyKeys(User.key("a"), gained("a"), gained("b"), User.key("c"), gained("c"));
    assertThat(deadLetters)
        .containsExactly(
            DeadLetter.ofCount(
                "shard", User.key("b"), "IllegalArgumentException: no counter", follow(2, "b")));
    assertThat(leftOut).containsExactly(User.key("b"));
  }

  @Test
  void run_checkpointThatCannotBeMovedNow_comesAgain() {
    var busy =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, _) -> {
              throw new ThrottledException("test", 1, 1);
            },
            deadLetters::add);
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    var records = List.of(follow(1, "a"), follow(2, "b"), follow(3, "c"));
    assertThat(busy.run("shard", records)).contains(records.get(1));
    assertThat(deadLetters).hasSize(1);
  }

  @Test
  void run_checkpointThatCanNeverBeMoved_doesNotBlockItsNeighbors() {
    var broken =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, _) -> {
              throw new IllegalArgumentException("no checkpoints");
            },
            deadLetters::add);
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    assertThat(broken.run("shard", List.of(follow(2, "b"), follow(3, "c")))).isEmpty();
    assertThat(applied).containsOnlyKeys(gained("b"), User.key("c"), gained("c"));
  }

  @Test
  void run_itemThatCannotBeCountedNextToAnUnreadableRecord_isOneDeadLetterEach() {
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    runner.run("shard", List.of(follow(1, "a"), UNREADABLE, follow(10, "b")));
    assertThat(deadLetters).hasSize(2);
    assertThat(applied).containsOnlyKeys(User.key("a"), gained("a"), gained("b"));
  }

  @Test
  void run_unreadableRecordInABatchThatComesAgain_isOneDeadLetter() {
    failing.put(User.key("a"), new ThrottledException("test", 1, 1));
    var behind = follow(10, "a");
    assertThat(runner.run("shard", List.of(UNREADABLE, behind))).contains(behind);
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(runner.run("shard", List.of(behind, UNREADABLE))).contains(behind);
    }
    failing.clear();
    assertThat(runner.run("shard", List.of(behind))).isEmpty();
    assertThat(deadLetters).hasSize(1);
    assertThat(applied).containsOnlyKeys(User.key("a"), gained("a"));
  }

  @Test
  void run_unreadableRecord_isLeftOutInOrder() {
    var unreadable = follow(2, "a");
    unreadable.getDynamodb().getNewImage().remove("created_at");
    var order = new ArrayList<String>();
    var ann = User.key("a");
    var watched =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            (_, changes) -> {
              order.add("count " + changes.get(ann));
              return Map.of();
            },
            (_, changes) -> order.add("leave out " + changes.get(ann)),
            deadLetters::add);
    watched.run("shard", List.of(follow(1, "a"), unreadable, follow(3, "a")));
    assertThat(order)
        .containsExactly(
            "count " + List.of(change(1, 1)),
            "leave out " + List.of(change(2, 0)),
            "count " + List.of(change(3, 1)));
    assertThat(deadLetters).hasSize(1);
  }

  @Test
  void run_unreadableRecordForSeveralItems_isLeftOutOfEach() {
    var unreadable = follow(2, "a");
    unreadable.getDynamodb().getNewImage().remove("follower_id");
    var asked = new ArrayList<Key>();
    var broken =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, changes) -> {
              asked.addAll(changes.keySet());
              throw new IllegalArgumentException("no checkpoints");
            },
            deadLetters::add);
    assertThat(broken.run("shard", List.of(unreadable))).isEmpty();
    assertThat(asked).containsExactly(User.key("a"), gained("a"));
    assertThat(deadLetters).hasSize(1);
  }

  @Test
  void run_unreadableRecordWhoseCheckpointCannotBeMovedNow_comesAgain() {
    var unreadable = follow(2, "a");
    unreadable.getDynamodb().getNewImage().remove("created_at");
    var busy =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, _) -> {
              throw new ThrottledException("test", 1, 1);
            },
            deadLetters::add);
    assertThat(busy.run("shard", List.of(unreadable, follow(3, "b")))).contains(unreadable);
    assertThat(applied).isEmpty();
  }

  @Test
  void run_deadLetterCannotBeStored_comesAgain() {
    var down =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, _) -> {},
            deadLetter -> {
              throw new IllegalStateException("queue is down");
            });
    assertThatThrownBy(() -> down.run("shard", List.of(UNREADABLE))).hasMessage("queue is down");
  }

  /** It comes again, so its checkpoint must not be moved. */
  @Test
  void run_deadLetterOfACountThatCannotBeStored_leavesNothingOut() {
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    var down =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            (_, changes) -> leftOut.addAll(changes.keySet()),
            deadLetter -> {
              throw new IllegalStateException("queue is down");
            });
    assertThatThrownBy(() -> down.run("shard", List.of(follow(2, "b"))))
        .hasMessage("queue is down");
    assertThat(leftOut).isEmpty();
  }

  /** A fence waits for all others, as in {@link social.feed.table.counter.Counters}. */
  @Test
  void run_fenceBehindAnItemThatCanNeitherBeCountedNorLeftOut_isPassed() {
    var broken =
        new CountsRunner(
            new Plan(Duration.ofDays(90)),
            this::applyFencesLast,
            (_, _) -> {
              throw new IllegalArgumentException("no checkpoints");
            },
            deadLetters::add);
    failing.put(User.key("b"), new IllegalArgumentException("no counter"));
    var fence = fence();
    assertThat(broken.run("shard", List.of(follow(1, "b"), StreamRecords.inserted(2, fence))))
        .isEmpty();
    assertThat(applied).containsKey(fence.key());
    assertThat(deadLetters).hasSize(1);
  }

  @Test
  void run_fenceBehindAnItemThatIsThrottled_isNotPassed() {
    failing.put(User.key("b"), new ThrottledException("test", 1, 1));
    var runner =
        new CountsRunner(
            new Plan(Duration.ofDays(90)), this::applyFencesLast, (_, _) -> {}, deadLetters::add);
    var behind = follow(2, "b");
    var records = List.of(StreamRecords.inserted(1, fence()), behind);
    assertThat(runner.run("shard", records)).contains(records.getFirst());
    assertThat(applied).doesNotContainKey(fence().key());
  }

  private Map<Key, RuntimeException> applyFencesLast(
      String shard, Map<Key, List<CountChange>> changes) {
    var others = new HashMap<>(changes);
    others.keySet().removeIf(Fence::isAt);
    var fences = new HashMap<>(changes);
    fences.keySet().removeAll(others.keySet());
    var failed = new HashMap<>(apply(shard, others));
    if (failed.isEmpty()) {
      failed.putAll(apply(shard, fences));
    } else {
      fences.keySet().forEach(key -> failed.put(key, new ThrottledException("fences", 1, 1)));
    }
    return failed;
  }

  private static Fence fence() {
    return new Fence("POST#a", "name", true, false, 0, Map.of(), 1_900_000_000L);
  }

  private Map<Key, RuntimeException> apply(String shard, Map<Key, List<CountChange>> changes) {
    calls++;
    var failed = new HashMap<>(failing);
    failed.keySet().retainAll(changes.keySet());
    changes.keySet().stream()
        .filter(key -> !failed.containsKey(key))
        .forEach(key -> applied.put(key, changes.get(key)));
    return failed;
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
