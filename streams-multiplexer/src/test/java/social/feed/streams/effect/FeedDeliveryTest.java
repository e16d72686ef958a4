package social.feed.streams.effect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.time.Timestamps;

class FeedDeliveryTest {
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");

  /** Another server may have stamped the post. */
  @Test
  void post_asOldAsClocksDiffer_isDelivered_andAnOlderOneIsNot() {
    var oldest = SINCE.minus(Timestamps.MAX_CLOCK_SKEW);

    assertThat(FeedDelivery.isEligible(oldest, SINCE)).isTrue();
    assertThat(FeedDelivery.isEligible(oldest.minusMillis(1), SINCE)).isFalse();
    assertThat(FeedDelivery.isEligible(oldest.minusMillis(1), null)).isTrue();
  }
}
