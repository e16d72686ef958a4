package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;

class SinkMessageTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final SinkMessage NEW =
      new SinkMessage(
          "kafka",
          0,
          NOW,
          new DomainEvent(
              EventType.ACCOUNT_ERASED,
              NOW,
              "account:ann",
              "1",
              "ann",
              new TreeMap<>(Map.of("user_id", "ann"))));

  @Test
  void message_thatFails_waitsTwiceAsLongEachTime_andIsTooLateAfterADay() {
    var waits = Stream.iterate(NEW.failed(), SinkMessage::failed).limit(10).map(SinkMessage::delay);

    assertThat(waits)
        .startsWith(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(20))
        .endsWith(Duration.ofSeconds(640), Duration.ofMinutes(15), Duration.ofMinutes(15));
    assertThat(NEW.failed().isTooLate(NOW.plus(SinkMessage.PATIENCE))).isFalse();
    assertThat(NEW.failed().isTooLate(NOW.plus(SinkMessage.PATIENCE).plusMillis(1))).isTrue();
  }

  /** Otherwise its first failure makes it a dead letter again. */
  @Test
  void deadLetter_thatIsSentAgain_hasAnotherDay() {
    var later = NOW.plus(Duration.ofDays(9));

    var again = NEW.failed().failed().again(later);

    assertThat(again).isEqualTo(new SinkMessage("kafka", 0, later, NEW.event()));
    assertThat(again.failed().isTooLate(later.plus(SinkMessage.PATIENCE))).isFalse();
    assertThat(again.failed().delay()).isEqualTo(Duration.ofSeconds(5));
  }
}
