package social.feed.ctl;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the multiplexer of the local platform from working while a bulk load writes: both would
 * wait for the one thread of the engine. It is asked for again and again, so that a load that dies
 * holds nothing.
 */
final class StreamHold implements AutoCloseable {
  private static final int EVERY_SECONDS = 4;

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());

  StreamHold(PlatformStream stream) {
    stream.hold();
    timer.scheduleAtFixedRate(stream::hold, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  /** Asks for no more of it; the next drain, or some seconds, end it. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
