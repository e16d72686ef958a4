package social.feed.ctl;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Holds the multiplexer of the local platform while a bulk load writes: both would wait for the
 * only thread of the engine. The hold is renewed every few seconds, so that it ends if the load
 * dies.
 */
final class StreamHold implements AutoCloseable {
  private static final int EVERY_SECONDS = 4;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());

  StreamHold(PlatformStream stream) {
    stream.hold();
    timer.scheduleAtFixedRate(stream::hold, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  /** Stops renewing the hold; the next drain ends it, or a timeout of some seconds. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
