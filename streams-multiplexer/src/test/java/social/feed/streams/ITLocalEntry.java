package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.user.CelebrityRule;
import software.amazon.awssdk.services.sqs.SqsClient;

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

  @Override
  TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) {
    return multiplexer.handle(lane, event);
  }

  @Override
  Resources resources() {
    return resources;
  }
}
