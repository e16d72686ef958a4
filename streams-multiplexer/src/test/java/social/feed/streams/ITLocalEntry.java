package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** The multiplexer as the local platform calls it. */
class ITLocalEntry extends EntryContract {
  private static Resources resources;
  private static SqsClient client;
  private static Multiplexer multiplexer;

  @BeforeAll
  static void start() {
    resources = Resources.start();
    client = resources.queue().newClient();
    multiplexer =
        new Multiplexer(
            resources.table().table(),
            new Plan(Duration.ofDays(90)),
            new EffectHandlers(
                resources.table().table(),
                Clock.systemUTC(),
                EffectSettings.of(20, BatchSizes.STANDARD, ErasureSweeps.Settings.unpaced())),
            new CelebrityRule(1_000),
            new SqsDeadLetters(client, resources.queueUrl()),
            Clock.systemUTC());
  }

  @AfterAll
  static void stop() {
    client.close();
    resources.close();
  }

  @Test
  void countsLane_withoutAShard_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> multiplexer.handle(Lane.COUNTS, event()))
        .withMessageContaining("tumbling window");
  }

  /** Its attributes count as well. One that a queue refuses would block its shard. */
  @Test
  void deadLetter_isWhole_upToWhatAMessageMayHold() {
    int size = 100_000;
    long left = 256 * 1_024 - size(sent(size));

    var largest = sent(Math.toIntExact(size + left / 2));
    var tooLarge = sent(Math.toIntExact(size + left / 2 + 1));

    assertThat(size(largest)).isGreaterThan(256 * 1_024 - 2);
    assertThat(SqsDeadLetters.read(largest).isTruncated()).isFalse();
    assertThat(SqsDeadLetters.read(tooLarge).isTruncated()).isTrue();
  }

  /** The failure of a record may quote the record. */
  @Test
  void deadLetter_whoseReasonIsCutInACharacter_isSent() {
    var record = StreamRecords.of(1, "REMOVE", Map.of(), Map.of());

    new SqsDeadLetters(client, resources.queueUrl())
        .send(DeadLetter.of(DeadLetter.DECODE, "r".repeat(999) + "\uD83D\uDE00", record));

    assertThat(SqsDeadLetters.read(deadLetters().getFirst()).reason())
        .isEqualTo("r".repeat(999) + "?");
  }

  /** Sends a dead letter whose two images have a text of a size. */
  private Message sent(int size) {
    var image =
        StreamRecords.attributes(
            Map.of(
                "PK", AttributeValue.fromS("POST#1"),
                "SK", AttributeValue.fromS("TEAPOT"),
                "text", AttributeValue.fromS("x".repeat(size))));
    var record = StreamRecords.of(1, "MODIFY", image, image);
    new SqsDeadLetters(client, resources.queueUrl())
        .send(DeadLetter.of(DeadLetter.DECODE, "r".repeat(1_000), record));
    return deadLetters().getFirst();
  }

  /** The size as the service counts it: body, and names, types and values of the attributes. */
  private static long size(Message message) {
    return message.body().length()
        + message.messageAttributes().entrySet().stream()
            .mapToLong(
                attribute ->
                    attribute.getKey().length()
                        + attribute.getValue().dataType().length()
                        + attribute.getValue().stringValue().length())
            .sum();
  }

  @Override
  TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) {
    return multiplexer.handle(lane, event);
  }

  @Override
  Resources resources() {
    return resources;
  }
}
