package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.streams.RedriveOutcome;
import social.feed.streams.sink.SinkMessage;

/** The event of a dead letter that is put back on the queue of sinks. */
class LocalRedriveTest {
  private static final DomainEvent EVENT =
      new DomainEvent(
          EventType.ACCOUNT_ERASED,
          Instant.EPOCH,
          "account:ann",
          "1",
          "ann",
          new TreeMap<>(Map.of("user_id", "ann")));

  /** Otherwise its next failure would make it a dead letter at once. */
  @Test
  void eventOfADeadLetter_hasADayAgain() {
    var sent = new ArrayList<SinkMessage>();
    var before = Instant.now();

    var outcome =
        LocalRedrive.publishAgain(
            new SinkMessage("webhook-w", 30, Instant.EPOCH, EVENT),
            (messages, delay) -> {
              assertThat(delay).isEqualTo(Duration.ZERO);
              sent.addAll(messages);
            });

    assertThat(outcome).isInstanceOf(RedriveOutcome.Applied.class);
    assertThat(sent)
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.sink()).isEqualTo("webhook-w");
              assertThat(message.event()).isEqualTo(EVENT);
              assertThat(message.failures()).isZero();
              assertThat(message.since()).isBetween(before, Instant.now());
            });
  }

  @Test
  void queueThatRefuses_isAFailure() {
    var outcome =
        LocalRedrive.publishAgain(
            new SinkMessage("webhook-w", 30, Instant.EPOCH, EVENT),
            (_, _) -> {
              throw new IllegalStateException("away");
            });

    assertThat(outcome).isEqualTo(new RedriveOutcome.Failed("away"));
  }
}
