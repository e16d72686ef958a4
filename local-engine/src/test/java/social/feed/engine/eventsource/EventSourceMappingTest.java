package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class EventSourceMappingTest {

  @Test
  void named_withoutSettings_hasLambdasDefaults() {
    EventSourceMapping mapping = EventSourceMapping.named("m").build();

    assertThat(mapping.batchSize()).isEqualTo(100);
    assertThat(mapping.maximumRetryAttempts()).isEqualTo(EventSourceMapping.UNLIMITED_RETRIES);
    assertThat(mapping.maximumRecordAge()).isEmpty();
    assertThat(mapping.parallelizationFactor()).isEqualTo(1);
    assertThat(mapping.isTumbling()).isFalse();
    assertThat(mapping.allowsRetryAfter(1_000_000)).isTrue();
  }

  @Test
  void build_outsideLambdasLimits_throwsWithTheRule() {
    assertRejected(m -> m.batchSize(0), "batchSize is 1 to 10000, not 0");
    assertRejected(m -> m.batchSize(10_001), "batchSize");
    assertRejected(m -> m.batchingWindow(Duration.ofSeconds(301)), "batchingWindow");
    assertRejected(m -> m.tumblingWindow(Duration.ofSeconds(901)), "tumblingWindow");
    assertRejected(m -> m.parallelizationFactor(11), "parallelizationFactor");
    assertRejected(m -> m.maximumRetryAttempts(-2), "maximumRetryAttempts");
    assertRejected(m -> m.maximumRecordAge(Duration.ofSeconds(59)), "maximumRecordAge");
    assertRejected(
        m -> m.tumblingWindow(Duration.ofSeconds(1)).parallelizationFactor(2),
        "parallelizationFactor is 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EventSourceMapping.named(" ").build())
        .withMessageContaining("needs a name");
  }

  private static void assertRejected(
      Function<EventSourceMappingBuilder, EventSourceMappingBuilder> setting, String rule) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> setting.apply(EventSourceMapping.named("m")).build())
        .withMessageContaining(rule);
  }
}
