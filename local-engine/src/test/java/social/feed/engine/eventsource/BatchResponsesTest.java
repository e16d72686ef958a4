package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.engine.eventsource.TestRecords.failures;
import static social.feed.engine.eventsource.TestRecords.sequenceNumber;

import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchResponsesTest {

  private final List<BatchRecord> batch = TestRecords.batch(1, 5);
  private final BatchResponses responses =
      new BatchResponses(EventSourceMapping.named("m").reportBatchItemFailures().build());

  @Test
  void outcome_nothingReported_isHandled() {
    assertThat(responses.outcome(batch, null)).isEqualTo(new InvocationOutcome.Handled());
    assertThat(responses.outcome(batch, new TimeWindowEventResponse()))
        .isEqualTo(new InvocationOutcome.Handled());
    assertThat(responses.outcome(batch, failures())).isEqualTo(new InvocationOutcome.Handled());
  }

  @Test
  void outcome_severalReported_handlesUpToTheLowest() {
    InvocationOutcome outcome =
        responses.outcome(batch, failures(sequenceNumber(4), sequenceNumber(3)));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            InvocationOutcome.HandledBefore.class,
            before -> assertThat(before.index()).isEqualTo(2));
  }

  @Test
  void outcome_firstReported_isFailed() {
    assertThat(responses.outcome(batch, failures(sequenceNumber(1))))
        .isInstanceOf(InvocationOutcome.Failed.class);
  }

  @Test
  void outcome_emptyOrUnknownIdentifier_failsTheWholeBatch() {
    for (String identifier : new String[] {"", "nonsense", null, sequenceNumber(6)}) {
      assertThat(responses.outcome(batch, failures(sequenceNumber(3), identifier)))
          .as("%s", identifier)
          .isInstanceOf(InvocationOutcome.Failed.class);
    }
  }

  @Test
  void outcome_mappingWithoutReportedFailures_ignoresThem() {
    BatchResponses whole = new BatchResponses(EventSourceMapping.named("m").build());

    assertThat(whole.outcome(batch, failures(sequenceNumber(3))))
        .isEqualTo(new InvocationOutcome.Handled());
  }
}
