package social.feed.ctl;

import java.io.PrintWriter;
import java.util.TreeMap;
import java.util.function.Consumer;
import social.feed.ctl.load.LoadRun;

/**
 * Shows a running load: one line that changes every second on a terminal, otherwise one more line
 * every second.
 */
final class LoadView implements Consumer<LoadRun.Live>, AutoCloseable {
  private static final double NANOS_OF_MILLI = 1e6;

  private final String what;
  private final PrintWriter out;
  private final boolean isTerminal;

  /**
   * @param what is shown before each line
   */
  LoadView(String what, PrintWriter out) {
    this(what, out, System.console() != null && System.console().isTerminal());
  }

  LoadView(String what, PrintWriter out, boolean isTerminal) {
    this.what = what;
    this.out = out;
    this.isTerminal = isTerminal;
  }

  @Override
  public void accept(LoadRun.Live live) {
    var line = what + line(live);
    if (isTerminal) {
      out.print("\r" + line + "\u001b[K");
    } else {
      out.println(line);
    }
    out.flush();
  }

  static String line(LoadRun.Live live) {
    var progress = live.progress();
    var errors = new TreeMap<>(progress.codes());
    errors.keySet().removeIf(code -> code.startsWith("2"));
    return "%4d s  sent %,.0f/s  answered %,.0f/s  in flight %,d  p50 %.1f ms  p99 %.1f ms  units %,.0f r/s %,.0f w/s  lag %s  errors %s"
        .formatted(
            progress.elapsed().toSeconds(),
            live.sent(),
            live.answered(),
            progress.inFlight(),
            progress.latency().getValueAtPercentile(50) / NANOS_OF_MILLI,
            progress.latency().getValueAtPercentile(99) / NANOS_OF_MILLI,
            live.units().read(),
            live.units().write(),
            millis(live.effectsLag()) + " effects, " + millis(live.countsLag()) + " counts",
            errors.isEmpty() ? "none" : errors);
  }

  private static String millis(long lag) {
    return lag < 0 ? "?" : "%,d ms".formatted(lag);
  }

  @Override
  public void close() {
    if (isTerminal) {
      out.println();
      out.flush();
    }
  }
}
