package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.event.EventType;
import social.feed.event.Release;
import software.amazon.awssdk.services.sqs.model.Message;

class SinkMessageTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final SinkMessage NEW =
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

  /** After a downgrade, this version gets what a later one has written. */
  @Test
  void messageOfALaterVersion_saysWhichVersionReadsIt_andWhatToDo() {
    var release = "\"release\":\"" + Release.VERSION + "\"";
    var renamed = NEW.body().replace("account.erased", "account.renamed");
    assertThat(renamed).contains(release);
    var field = NEW.body().replace("\"user_id\"", "\"reason\":\"x\",\"user_id\"");

    assertThat(refusal(renamed.replace(release, "\"release\":\"9.1.0\"")))
        .isEqualTo(
            "The event type account.renamed needs version 9.1.0, this is %s. Deploy that version or a later one, then redrive with its ./feed dlq redrive"
                .formatted(Release.VERSION));
    for (var other : List.of(renamed, renamed.replace("," + release, ""))) {
      assertThat(refusal(other))
          .startsWith(
              "The event type account.renamed needs a later build than this %s, such as ran at 2026-03-01T12:00:00.000Z. Deploy"
                  .formatted(Release.VERSION));
    }
    assertThat(refusal(renamed.replace(release, "\"release\":\"9\\n1\"")))
        .contains("a later build than this");
    assertThat(refusal(renamed.replace("account.renamed", "a\\nb".repeat(99))))
        .startsWith("The event type a?ba?b")
        .hasSizeLessThan(400);
    assertThat(refusal(field.replace(release, "\"release\":\"9.1.0\"")))
        .startsWith("The field reason of an event account.erased needs version 9.1.0");
    assertThat(SinkMessage.read(NEW.body().replace("," + release, ""))).isEqualTo(NEW);
    assertThat(Release.VERSION).matches("[0-9].*");
  }

  @Test
  void deadLetter_thatTheQueueMoved_isReadOrSaysWhyNot() {
    var moved = Message.builder().body(NEW.body()).build();
    assertThat(SqsSinkDeadLetters.read(moved)).contains(NEW);
    var later = NEW.body().replace("account.erased", "account.renamed");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SqsSinkDeadLetters.read(Message.builder().body(later).build()))
        .withMessageContaining("The event type account.renamed");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                SqsSinkDeadLetters.read(
                    Message.builder().body(NEW.body().replace("since", "begun")).build()))
        .withMessageContaining("Not a time");
    for (var other :
        List.of("", "no JSON", "[]", "{\"sink\":1,\"event\":{}}", "{\"sink\":\"x\"}")) {
      assertThat(SqsSinkDeadLetters.read(Message.builder().body(other).build())).isEmpty();
    }
  }

  private static String refusal(String body) {
    return String.valueOf(
        catchThrowableOfType(IllegalArgumentException.class, () -> SinkMessage.read(body))
            .getMessage());
  }
}
