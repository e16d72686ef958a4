package social.feed.ctl;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import social.feed.ctl.load.LoadRun;
import social.feed.local.PlatformParts;

/** Ends the load on a signal, and lets the process end when the report is written. */
final class LoadStop implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 90;

  private final PlatformParts parts = new PlatformParts();
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::onSignal, "stop");
  private @Nullable LoadRun run;
  private boolean isUnderWay;

  LoadStop() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Returns the parts of a platform, which a signal ends until a load has begun. */
  PlatformParts parts() {
    return parts;
  }

  /** From now on a signal ends this load; a signal before has ended it. */
  synchronized void ends(LoadRun running) {
    run = running;
    if (isUnderWay) {
      running.stop();
    }
  }

  /** From now on a signal ends the process, as before a load: the running load is over. */
  synchronized void hasEnded() {
    run = null;
  }

  /** Returns whether a signal has come. */
  synchronized boolean isUnderWay() {
    return isUnderWay;
  }

  private synchronized @Nullable LoadRun begun() {
    isUnderWay = true;
    return run;
  }

  private void onSignal() {
    var running = begun();
    if (running == null) {
      parts.close();
      return;
    }
    running.stop();
    try {
      var _ = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending because of the signal.
    }
  }
}
