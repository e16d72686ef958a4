package social.feed.table.kernel.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class CostMeterTest {
  private static final ConsumedUnits ONE = new ConsumedUnits(1, 2);

  @Test
  void measure_reportsOnTheThread_areAddedUp() {
    var meter = new CostMeter();

    var answer = meter.measure(() -> reported("answer", 3));

    assertThat(answer).isEqualTo("answer");
    assertThat(meter.consumed()).isEqualTo(new ConsumedUnits(3, 6));
  }

  @Test
  void measure_inside_leavesTheOuterMeterBoundAfterwards() {
    var outer = new CostMeter();
    var inner = new CostMeter();

    outer.measure(() -> inner.measure(() -> reported("x", 1)) + reported("y", 2));

    assertThat(inner.consumed()).isEqualTo(ONE);
    assertThat(outer.consumed()).isEqualTo(new ConsumedUnits(2, 4));
  }

  @Test
  void measure_ofAPart_countsForTheWholeToo() {
    var whole = new CostMeter();

    var part =
        whole.measure(
            () -> {
              var inner = CostMeter.ofPart();
              inner.measure(() -> reported("x", 1));
              return inner;
            });

    assertThat(part.consumed()).isEqualTo(ONE);
    assertThat(whole.consumed()).isEqualTo(ONE);
  }

  @Test
  void measure_failure_unbindsTheMeter() {
    var meter = new CostMeter();

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                meter.measure(
                    () -> {
                      CostMeter.report(ONE);
                      throw new IllegalStateException();
                    }));
    CostMeter.report(ONE);

    assertThat(meter.consumed()).isEqualTo(ONE);
  }

  @Test
  void report_onThreadWithoutMeter_isDropped() throws InterruptedException {
    var meter = new CostMeter();
    var before = meter.bind();
    try {
      Thread.ofVirtual().start(() -> CostMeter.report(ONE)).join();
    } finally {
      before.bind();
    }

    assertThat(meter.consumed()).isEqualTo(ConsumedUnits.NONE);
  }

  @Test
  void report_onAnotherThreadBoundToTheMeter_counts() throws InterruptedException {
    var meter = new CostMeter();

    Thread.ofVirtual().start(() -> meter.measure(() -> reported("x", 1))).join();

    assertThat(meter.consumed()).isEqualTo(ONE);
  }

  private static String reported(String answer, int times) {
    for (int i = 0; i < times; i++) {
      CostMeter.report(ONE);
    }
    return answer;
  }
}
