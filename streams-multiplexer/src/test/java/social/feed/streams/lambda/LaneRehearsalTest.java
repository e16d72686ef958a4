package social.feed.streams.lambda;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LaneRehearsalTest {
  /** An endpoint that nothing listens to: a call that was sent would fail. */
  private static final Map<String, String> NOWHERE =
      Map.of(
          "aws.endpointUrlDynamoDb", "http://127.0.0.1:9",
          "aws.region", "us-east-1",
          "aws.accessKeyId", "test",
          "aws.secretAccessKey", "test");

  @BeforeEach
  void set() {
    NOWHERE.forEach(System::setProperty);
  }

  @AfterEach
  void clear() {
    NOWHERE.keySet().forEach(System::clearProperty);
  }

  @Test
  void bothLanes_handleTheLike_withoutACall() {
    try (var context =
        new FunctionContextBuilder()
            .properties(
                Map.of(
                    "feed.multiplexer.dead-letter-queue-url", "https://queue.invalid/dead",
                    "feed.multiplexer.event-queue-url", "https://queue.invalid/events"))
            .start()) {
      var settings = context.getBean(MultiplexerSettings.class);

      assertThatCode(() -> LaneRehearsal.run(settings)).doesNotThrowAnyException();
    }
  }
}
