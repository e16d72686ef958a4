package social.feed.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.cost.ConsumedUnits;

class RouteCurvesTest {
  private final RouteCurves curves = new RouteCurves();

  /** Also where the longest time came first, and the requests lie in two steps. */
  @Test
  void percentiles_areThoseOfSortedTimes() {
    for (int millis = 100; millis > 0; millis--) {
      curves.add("GET /v1/feed", millis, ConsumedUnits.NONE);
    }

    var curve = curves.curves().getFirst();
    assertThat(Collections.max(curve.p99())).isEqualTo(100);
    assertThat(curve.requests().stream().mapToDouble(Double::doubleValue).sum()).isEqualTo(100);
  }
}
