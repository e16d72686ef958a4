package social.feed.api.live;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Sinks;

/**
 * Takes events from one thread to a connection, no faster than the client reads: an event is handed
 * over when the connection asks for one. {@link EventPipeWriter} lets it ask for one at a time.
 */
final class EventPipe {
  /** Whatever a connection asks for, so many are handed over before it asks again. */
  static final int AHEAD_MAX = 4;

  private final Sinks.Many<byte[]> sink = Sinks.many().unicast().onBackpressureBuffer();
  private final Semaphore wanted = new Semaphore(0);
  private final CountDownLatch closed = new CountDownLatch(1);

  /** For the connection. */
  Publisher<byte[]> events() {
    return sink.asFlux().doOnRequest(this::want).doOnCancel(this::close);
  }

  private void want(long more) {
    int room = AHEAD_MAX - wanted.availablePermits();
    wanted.release(Math.clamp(more, 0, Math.max(room, 0)));
  }

  /**
   * Hands an event over.
   *
   * @return whether the connection took it in time, and was not closed
   */
  boolean send(byte[] event, Duration patience) throws InterruptedException {
    return wanted.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)
        && isOpen()
        && sink.tryEmitNext(event).isSuccess();
  }

  boolean isOpen() {
    return closed.getCount() > 0;
  }

  /** Waits, and returns early when the pipe is closed. */
  void rest(Duration time) throws InterruptedException {
    boolean _ = closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Nobody reads any more, or nothing is to be sent any more; from any thread. */
  void close() {
    closed.countDown();
    wanted.release();
  }

  /** Ends the answer, after which the connection may be used for another request. */
  void complete() {
    sink.tryEmitComplete();
  }

  /** Hangs up on a client that does not read. */
  void hangUp() {
    sink.tryEmitError(new SlowClientException());
  }
}
