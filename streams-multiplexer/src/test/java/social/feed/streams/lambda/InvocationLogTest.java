package social.feed.streams.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.slf4j.event.EventRecordingLogger;
import org.slf4j.event.SubstituteLoggingEvent;
import org.slf4j.helpers.SubstituteLogger;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.log.Pseudonyms;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Suspect;

/** Tests the line of an invocation. */
class InvocationLogTest {
  private final Queue<SubstituteLoggingEvent> lines = new ArrayDeque<>();
  private final InvocationLog log =
      new InvocationLog(
          "feed",
          Clock.systemUTC(),
          new EventRecordingLogger(new SubstituteLogger("log", lines, false), lines));

  private void run(Supplier<TimeWindowEventResponse> invocation) {
    log.run("id", Lane.EFFECTS, new DynamodbTimeWindowEvent(), invocation);
  }

  private static TimeWindowEventResponse response() {
    return TimeWindowEventResponse.builder().withBatchItemFailures(List.of()).build();
  }

  private static TimeWindowEventResponse writing(Stream<Key> items) {
    items.forEach(item -> CostMeter.reportWritten(() -> List.of(item)));
    return response();
  }

  @Test
  void invocationThatFails_hasOneLine_alsoForAnError() {
    assertThatExceptionOfType(StackOverflowError.class)
        .isThrownBy(
            () ->
                run(
                    () -> {
                      throw new StackOverflowError();
                    }));

    assertThat(lines).hasSize(1);
    assertThat(lines.element().getMessage()).contains("again=all").endsWith("Batch");
    assertThat(MDC.get("invocation")).isNull();
  }

  /** The next invocation begins with none. */
  @Test
  void deadLetters_areInTheLineOfTheirInvocation_onceStored() {
    var stored = log.counted(_ -> {});
    var refused =
        log.counted(
            _ -> {
              throw new IllegalStateException();
            });
    var record =
        new DeadLetter("counts", "test", Optional.empty(), new DynamodbStreamRecord(), false);

    run(
        () -> {
          stored.send(record);
          stored.send(record);
          assertThatExceptionOfType(IllegalStateException.class)
              .isThrownBy(() -> refused.send(record));
          return response();
        });
    run(InvocationLogTest::response);

    assertThat(lines.remove().getMessage()).contains(" DeadLetters=2.0 ");
    assertThat(lines.element().getMessage()).doesNotContain("DeadLetters");
  }

  /** The name is that of the alarm. The next invocation begins with none. */
  @Test
  void stuckRemovals_areInTheLineOfTheirInvocation() {
    run(
        () -> {
          log.countStuckRemoval();
          return response();
        });
    run(InvocationLogTest::response);

    assertThat(lines.remove().getMessage())
        .contains(" StuckRemovals=1.0 ", "StuckRemovals, Unit=Count");
    assertThat(lines.element().getMessage()).doesNotContain("StuckRemovals");
  }

  /** A response that cannot be read fails the invocation, after its line was begun. */
  @Test
  void responseThatCannotBeRead_hasOneLine() {
    assertThatExceptionOfType(NullPointerException.class)
        .isThrownBy(() -> run(TimeWindowEventResponse::new));

    assertThat(lines).hasSize(1);
  }

  @Test
  void line_hasTheHashesOfTheParts_andOfNoFeedEntries() {
    var part = new Key("FANOUT#1", "CHUNK#0000");
    var notified = new Key("POST#1", "CLEANUP#ANNOUNCED");

    run(() -> writing(Stream.of(new Key("FANOUT#1#0", "FEED#ann"), part, notified)));

    assertThat(lines.element().getMessage())
        .contains("parts=" + Pseudonyms.ofItems(List.of(part, notified)) + " ")
        .doesNotContain("again=", "omitted");
  }

  @Test
  void parts_ofOneLine_areBounded() {
    run(() -> writing(IntStream.range(0, 1_000).mapToObj(i -> new Key("FANOUT#1", "CHUNK#" + i))));

    assertThat(lines.element().getMessage())
        .hasSizeBetween(200 * 17, 200 * 17 + 1_000)
        .contains("parts_omitted=800 ");
  }

  /** The name is that of the metric on the dashboard and in the operations page. */
  @Test
  void suspicions_areCounted_andAreNoParts() {
    run(() -> writing(Stream.of(Suspect.key("ann"), FollowQuota.key("ann"), Suspect.key("bob"))));
    run(() -> writing(Stream.of(FollowQuota.key("ann"))));

    assertThat(lines.remove().getMessage())
        .contains(" SuspiciousAccounts=2.0 ", "SuspiciousAccounts, Unit=Count")
        .doesNotContain("parts");
    assertThat(lines.element().getMessage()).doesNotContain("SuspiciousAccounts");
  }

  @Test
  void line_withoutParts_doesNotNameThem() {
    run(() -> writing(Stream.of(new Key("FANOUT#1#0", "FEED#ann"))));

    assertThat(lines.element().getMessage()).doesNotContain("parts");
  }
}
