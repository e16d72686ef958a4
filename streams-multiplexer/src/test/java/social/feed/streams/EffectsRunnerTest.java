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
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.PostInteractionHandler.PostInteraction;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.row.Visibility;

class EffectsRunnerTest {
  private static final RuntimeException RETRYABLE = new ThrottledException("test", 1, 1);
  private static final RuntimeException PERMANENT = new IllegalArgumentException("breaks a rule");

  private final List<List<Effect>> applied = new ArrayList<>();
  private final Map<String, RuntimeException> failing = new HashMap<>();
  private final List<DeadLetter> deadLetters = new ArrayList<>();
  private final EffectsRunner runner =
      new EffectsRunner(new Plan(Duration.ofDays(90)), this::apply, deadLetters::add, _ -> {});

  @Test
  void run_appliesEffectsInTheOrderOfTheStream() {
    runner.run(
        List.of(
            StreamRecords.inserted(1, SampleRowLists.post(Visibility.PRIVATE)),
            StreamRecords.inserted(2, SampleRowLists.like("bob")),
            StreamRecords.removed(3, SampleRowLists.like("bob"))));
    assertThat(applied.stream().map(run -> Plan.nameOf(run.getFirst())))
        .containsExactly("CountOnce", "FanOut", "WriteTags", "Engage", "Retract");
  }

  @Test
  void run_effectsOfOneKindInARow_areAppliedTogether() {
    assertThat(runner.run(likes("a", "b", "c"))).isEmpty();
    assertThat(applied).hasSize(1);
    assertThat(likers(applied.getFirst())).containsExactly("a", "b", "c");
  }

  @Test
  void run_retryableFailure_stopsAndReportsTheRecord() {
    failing.put("c", RETRYABLE);
    var records = new ArrayList<>(likes("a"));
    records.add(StreamRecords.removed(2, SampleRowLists.like("b")));
    records.addAll(likes(3, "c"));
    records.add(StreamRecords.removed(4, SampleRowLists.like("d")));
    assertThat(runner.run(records)).contains(records.get(2));
    assertThat(applied).hasSize(2);
    assertThat(deadLetters).isEmpty();
  }

  @Test
  void run_permanentFailure_isOneDeadLetterAndItsNeighborsAreDone() {
    failing.put("b", PERMANENT);
    assertThat(runner.run(likes("a", "b", "c"))).isEmpty();
    assertThat(applied.stream().flatMap(run -> likers(run).stream())).containsExactly("a", "c");
    assertThat(deadLetters).hasSize(1);
    assertThat(deadLetters.getFirst().handler()).isEqualTo("Engage");
    assertThat(deadLetters.getFirst().reason()).contains("breaks a rule");
    assertThat(deadLetters.getFirst().record().getDynamodb().getSequenceNumber())
        .isEqualTo(StreamRecords.sequence(2));
  }

  @Test
  void run_permanentThenRetryableFailure_isOneDeadLetterAndOneReport() {
    failing.put("a", PERMANENT);
    failing.put("c", RETRYABLE);
    var records = likes("a", "b", "c", "d");
    // The group fails by its first effect, so each is tried alone until a failure is retryable.
    assertThat(runner.run(records)).contains(records.get(2));
    assertThat(deadLetters).hasSize(1);
    assertThat(applied.stream().flatMap(run -> likers(run).stream())).containsExactly("b");
  }

  @Test
  void run_unreadableRecord_isOneDeadLetterAndTheRestGoesOn() {
    var records = new ArrayList<>(likes("a"));
    records.add(StreamRecords.of(2, "INSERT", null, null));
    records.addAll(likes(3, "c"));
    assertThat(runner.run(records)).isEmpty();
    assertThat(deadLetters).extracting(DeadLetter::handler).containsExactly("decode");
    assertThat(applied.stream().flatMap(run -> likers(run).stream())).containsExactly("a", "c");
  }

  @Test
  void run_unreadableRecordBehindARetryableFailure_isNoDeadLetterYet() {
    failing.put("a", RETRYABLE);
    var records = new ArrayList<>(likes("a"));
    records.add(StreamRecords.of(2, "INSERT", null, null));
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(runner.run(records)).contains(records.getFirst());
    }
    assertThat(deadLetters).isEmpty();
    failing.clear();
    runner.run(records);
    assertThat(deadLetters).hasSize(1);
  }

  @Test
  void run_deadLetterCannotBeStored_comesAgain() {
    failing.put("b", PERMANENT);
    var down =
        new EffectsRunner(
            new Plan(Duration.ofDays(90)),
            this::apply,
            deadLetter -> {
              throw new IllegalStateException("queue is down");
            },
            _ -> {});
    assertThatThrownBy(() -> down.run(likes("a", "b"))).hasMessage("queue is down");
    assertThat(runner.run(likes("a", "b"))).isEmpty();
    assertThat(deadLetters).hasSize(1);
  }

  @Test
  void run_emptyBatch_isDone() {
    assertThat(runner.run(List.of())).isEmpty();
    assertThat(applied).isEmpty();
  }

  private void apply(List<Effect> effects) {
    for (var liker : likers(effects)) {
      var failure = failing.get(liker);
      if (failure != null) {
        throw failure;
      }
    }
    applied.add(effects);
  }

  private static List<String> likers(List<Effect> effects) {
    return effects.stream()
        .filter(PostInteraction.class::isInstance)
        .map(PostInteraction.class::cast)
        .map(interaction -> interaction.row().sort().substring("LIKE#".length()))
        .toList();
  }

  private static List<DynamodbStreamRecord> likes(String... by) {
    return likes(1, by);
  }

  private static List<DynamodbStreamRecord> likes(int first, String... by) {
    var records = new ArrayList<DynamodbStreamRecord>();
    for (var liker : by) {
      records.add(StreamRecords.inserted(first + records.size(), SampleRowLists.like(liker)));
    }
    return records;
  }
}
