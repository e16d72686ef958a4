package social.feed.ctl;

import java.time.Duration;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;
import social.feed.ctl.graph.ImportProgress;

/** Shows a progress bar for each step, with rate and estimated time. */
final class ConsoleProgress implements ImportProgress {
  private static final int MILLIS = 500;

  @Override
  public Step step(String what, long total) {
    return new Bar(bar(what, total));
  }

  private static ProgressBar bar(String what, long total) {
    var bar =
        new ProgressBarBuilder()
            .setTaskName(String.format("%-9s", what))
            .setInitialMax(total)
            .setUpdateIntervalMillis(MILLIS)
            .setStyle(ProgressBarStyle.ASCII)
            .showSpeed()
            .setEtaFunction(ConsoleProgress::left);
    return (total == UNKNOWN ? bar.hideEta() : bar).build();
  }

  private static Optional<Duration> left(ProgressState progress) {
    long done = progress.getCurrent();
    return done == 0
        ? Optional.empty()
        : Optional.of(
            progress.getElapsedAfterStart().multipliedBy(progress.getMax() - done).dividedBy(done));
  }

  private record Bar(ProgressBar bar) implements Step {
    @Override
    public void advance(long done) {
      bar.stepBy(done);
    }

    @Override
    public void close() {
      bar.close();
    }
  }
}
