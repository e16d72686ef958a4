package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import social.feed.ctl.load.LoadRun;
import social.feed.ctl.load.OpenLoad;
import social.feed.table.kernel.cost.ConsumedUnits;

class LoadViewTest {
  private static final String FIRST =
      "load   1 s  sent 20/s  answered 19/s  in flight 2  p50 3.0 ms  p99 3.0 ms  units 7 r/s"
          + " 2 w/s  lag 40 ms effects, ? counts  errors none";
  private static final String SECOND =
      "load   2 s  sent 20/s  answered 19/s  in flight 2  p50 3.0 ms  p99 3.0 ms  units 7 r/s"
          + " 2 w/s  lag 40 ms effects, ? counts  errors {503 overloaded=4}";

  private final StringWriter shown = new StringWriter();

  @Test
  void terminal_hasOneLineThatChanges() {
    show(true);

    assertThat(shown)
        .hasToString(
            "\r" + FIRST + "\u001b[K" + "\r" + SECOND + "\u001b[K" + System.lineSeparator());
  }

  @Test
  void otherOutput_hasALineEverySecond() {
    show(false);

    assertThat(shown.toString().lines()).containsExactly(FIRST, SECOND);
  }

  private void show(boolean isTerminal) {
    try (var view = new LoadView("load", new PrintWriter(shown), isTerminal)) {
      view.accept(live(1, Map.of("200", 9L)));
      view.accept(live(2, Map.of("200", 9L, "503 overloaded", 4L)));
    }
  }

  private static LoadRun.Live live(int seconds, Map<String, Long> codes) {
    var latency = new Histogram(3);
    latency.recordValue(3_000_000);
    var progress = new OpenLoad.Progress(Duration.ofSeconds(seconds), 11, 9, latency, codes);
    return new LoadRun.Live(progress, 20, 19, new ConsumedUnits(7, 2), 40, -1);
  }
}
