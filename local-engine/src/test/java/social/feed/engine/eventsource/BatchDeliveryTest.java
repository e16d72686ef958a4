package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.engine.eventsource.TestRecords.START;
import static social.feed.engine.eventsource.TestRecords.batch;
import static social.feed.engine.eventsource.TestRecords.numbers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import social.feed.engine.eventsource.FailedBatch.Condition;

class BatchDeliveryTest {

  private static final RetryDelay BACKOFF =
      new RetryDelay(Duration.ofMillis(100), Duration.ofSeconds(1));

  private final List<List<Integer>> calls = new ArrayList<>();
  private final List<Integer> done = new ArrayList<>();
  private final List<FailedBatch> failed = new ArrayList<>();
  private final List<Duration> waits = new ArrayList<>();
  private Instant now = START;

  @Test
  void deliver_handled_callsOnce() {
    deliver(EventSourceMapping.named("m"), records -> new InvocationOutcome.Handled());

    assertThat(calls).containsExactly(List.of(1, 2, 3, 4, 5, 6, 7, 8));
    assertThat(done).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(waits).isEmpty();
  }

  @Test
  void deliver_alwaysFailing_givesUpAfterTheRetries() {
    deliver(EventSourceMapping.named("m").maximumRetryAttempts(3), BatchDeliveryTest::fails);

    assertThat(calls).hasSize(4).containsOnly(List.of(1, 2, 3, 4, 5, 6, 7, 8));
    assertThat(failed).hasSize(1);
    FailedBatch batch = failed.getFirst();
    assertThat(batch.condition()).isEqualTo(Condition.RETRY_ATTEMPTS_EXHAUSTED);
    assertThat(batch.invocations()).isEqualTo(4);
    assertThat(batch.records()).hasSize(8);
    assertThat(batch.startSequenceNumber()).isEqualTo(TestRecords.sequenceNumber(1));
    assertThat(batch.endSequenceNumber()).isEqualTo(TestRecords.sequenceNumber(8));
    assertThat(batch.lastError()).isEqualTo("poison");
    assertThat(done).hasSize(8);
  }

  @Test
  void deliver_retries_waitLongerEachTimeUpToTheLimit() {
    deliver(EventSourceMapping.named("m").maximumRetryAttempts(8), BatchDeliveryTest::fails);

    assertThat(waits).hasSize(8);
    long[] full = {100, 200, 400, 800, 1_000, 1_000, 1_000, 1_000};
    for (int i = 0; i < full.length; i++) {
      assertThat(waits.get(i).toMillis()).isBetween(full[i] / 2, full[i]);
    }
  }

  @Test
  void deliver_noRetries_givesUpAfterOneCall() {
    deliver(EventSourceMapping.named("m").maximumRetryAttempts(0), BatchDeliveryTest::fails);

    assertThat(calls).hasSize(1);
    assertThat(failed).hasSize(1);
  }

  @Test
  void deliver_bisecting_givesUpOnlyTheFailingRecordAndUsesNoRetryForSplits() {
    deliver(
        EventSourceMapping.named("m").maximumRetryAttempts(2).bisectBatchOnFunctionError(),
        records -> numbers(records).contains(6) ? fails(records) : new InvocationOutcome.Handled());

    assertThat(calls)
        .containsExactly(
            List.of(1, 2, 3, 4, 5, 6, 7, 8),
            List.of(1, 2, 3, 4),
            List.of(5, 6, 7, 8),
            List.of(5, 6),
            List.of(5),
            List.of(6),
            List.of(6),
            List.of(6),
            List.of(7, 8));
    assertThat(failed).hasSize(1);
    assertThat(numbersOf(failed.getFirst())).containsExactly(6);
    assertThat(failed.getFirst().invocations()).isEqualTo(3);
    assertThat(done).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void deliver_partialResponse_deliversTheRestAgain() {
    deliver(
        EventSourceMapping.named("m").maximumRetryAttempts(1),
        records ->
            records.size() == 8
                ? new InvocationOutcome.HandledBefore(3, "later")
                : new InvocationOutcome.Handled());

    assertThat(calls).containsExactly(List.of(1, 2, 3, 4, 5, 6, 7, 8), List.of(4, 5, 6, 7, 8));
    assertThat(done).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(failed).isEmpty();
  }

  @Test
  void deliver_partialResponsesThatMoveTheHead_countRetriesForEachHead() {
    deliver(
        EventSourceMapping.named("m").maximumRetryAttempts(1),
        records ->
            records.size() > 1
                ? new InvocationOutcome.HandledBefore(1, "slow")
                : new InvocationOutcome.Handled());

    assertThat(calls).hasSize(8);
    assertThat(failed).isEmpty();
  }

  @Test
  void deliver_partialResponseWithoutRetries_givesUpTheRest() {
    deliver(
        EventSourceMapping.named("m").maximumRetryAttempts(0),
        records -> new InvocationOutcome.HandledBefore(3, "later"));

    assertThat(calls).hasSize(1);
    assertThat(numbersOf(failed.getFirst())).containsExactly(4, 5, 6, 7, 8);
  }

  @Test
  void deliver_partialResponseWhileBisecting_splitsTheBatch() {
    deliver(
        EventSourceMapping.named("m").maximumRetryAttempts(0).bisectBatchOnFunctionError(),
        records ->
            switch (numbers(records).indexOf(4)) {
              case -1 -> new InvocationOutcome.Handled();
              case 0 -> fails(records);
              default -> new InvocationOutcome.HandledBefore(numbers(records).indexOf(4), "poison");
            });

    assertThat(failed).hasSize(1);
    assertThat(numbersOf(failed.getFirst())).containsExactly(4);
    assertThat(done).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void deliver_recordsTooOld_givesUpWithoutACall() {
    now = START.plusSeconds(63).plusMillis(500);

    deliver(
        EventSourceMapping.named("m").maximumRecordAge(Duration.ofSeconds(60)),
        records -> new InvocationOutcome.Handled());

    assertThat(calls).containsExactly(List.of(4, 5, 6, 7, 8));
    assertThat(numbersOf(failed.getFirst())).containsExactly(1, 2, 3);
    assertThat(failed.getFirst().condition()).isEqualTo(Condition.RECORD_AGE_EXCEEDED);
    assertThat(failed.getFirst().invocations()).isZero();
  }

  @Test
  void deliver_recordsTooOldDuringRetries_givesUpWithTheLastError() {
    deliver(
        EventSourceMapping.named("m").maximumRecordAge(Duration.ofSeconds(60)),
        records -> {
          now = now.plusSeconds(40);
          return fails(records);
        });

    assertThat(calls).hasSize(2);
    assertThat(failed.getFirst().condition()).isEqualTo(Condition.RECORD_AGE_EXCEEDED);
    assertThat(failed.getFirst().lastError()).isEqualTo("poison");
    assertThat(done).hasSize(8);
  }

  @Test
  void deliver_someRecordsTooOldDuringRetries_leavesTheOthersAllRetries() {
    deliver(
        EventSourceMapping.named("m")
            .maximumRecordAge(Duration.ofSeconds(60))
            .maximumRetryAttempts(3),
        records -> {
          if (calls.size() == 2) {
            now = START.plusSeconds(63).plusMillis(500);
          }
          return fails(records);
        });

    assertThat(calls.subList(0, 2)).containsOnly(List.of(1, 2, 3, 4, 5, 6, 7, 8));
    assertThat(calls.subList(2, calls.size())).hasSize(4).containsOnly(List.of(4, 5, 6, 7, 8));
    assertThat(failed)
        .extracting(FailedBatch::condition)
        .containsExactly(Condition.RECORD_AGE_EXCEEDED, Condition.RETRY_ATTEMPTS_EXHAUSTED);
    assertThat(failed).extracting(FailedBatch::invocations).containsExactly(2, 4);
  }

  private static InvocationOutcome fails(List<BatchRecord> records) {
    return new InvocationOutcome.Failed("poison");
  }

  private static List<Integer> numbersOf(FailedBatch batch) {
    return batch.records().stream().map(TestRecords::number).toList();
  }

  private void deliver(
      EventSourceMappingBuilder mapping, Function<List<BatchRecord>, InvocationOutcome> function) {
    new BatchDelivery(
            mapping.build(),
            new ShardId(TestRecords.ARN, "m", "shard"),
            records -> {
              calls.add(numbers(records));
              return function.apply(records);
            },
            failed::add,
            new DoneRecords(),
            () -> now,
            new BatchDelivery.Retry(BACKOFF, new Random(1), waits::add))
        .deliver(batch(1, 8));
  }

  private final class DoneRecords implements BatchDelivery.Listener {
    @Override
    public void handled(List<BatchRecord> records) {
      done.addAll(numbers(records));
    }

    @Override
    public void failed(String error) {
      assertThat(error).isNotBlank();
    }

    @Override
    public void givenUp(List<BatchRecord> records) {
      done.addAll(numbers(records));
    }
  }
}
