package social.feed.table.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import social.feed.table.log.PlatformMetric.Dimension;

class EmbeddedMetricsTest {
  private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_000L);

  private static EmbeddedMetrics ofRoute() {
    return new EmbeddedMetrics("feed", Dimension.ROUTE, "GET /v1/feed");
  }

  @Test
  void line_isInTheEmbeddedMetricFormat() {
    var fields =
        ofRoute()
            .each(PlatformMetric.LATENCY, List.of(1.5, 2.0))
            .sum(PlatformMetric.ROUTE_READ_UNITS, 3.5)
            .fields(AT);

    assertThat(JsonLine.of(fields))
        .isEqualTo(
            "{\"_aws\":{\"Timestamp\":1700000000000,\"CloudWatchMetrics\":[{\"Namespace\":\"Feed\","
                + "\"Dimensions\":[[\"Table\",\"Route\"]],\"Metrics\":[{\"Name\":\"Latency\",\"Unit\":\"Milliseconds\"},"
                + "{\"Name\":\"ReadUnits\",\"Unit\":\"Count\"}]}]},"
                + "\"Table\":\"feed\",\"Route\":\"GET /v1/feed\",\"Latency\":[1.5,2],"
                + "\"ReadUnits\":3.5}");
  }

  /** A metric without a value would cost as much as another. */
  @Test
  void nothing_isNoMetric() {
    assertThat(ofRoute().sum(PlatformMetric.ROUTE_WRITE_UNITS, 0).fields(AT))
        .containsOnlyKeys("Table", "Route");
    assertThat(ofRoute().each(PlatformMetric.LATENCY, List.of()).fields(AT))
        .doesNotContainKey("_aws");
  }

  @Test
  void whatTheFormatForbids_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ofRoute().each(PlatformMetric.LATENCY, Collections.nCopies(101, 1.0)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ofRoute().sum(PlatformMetric.LANE_READ_UNITS, 1));
  }
}
