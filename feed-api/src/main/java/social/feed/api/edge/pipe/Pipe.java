package social.feed.api.edge.pipe;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Sinks;

/**
 * Takes an answer from one thread to a connection in pieces, no faster than the client reads: a
 * piece is handed over when the connection asks for one. {@link PipeWriter} lets it ask for one at
 * a time.
 */
public final class Pipe {
  /** Whatever a connection asks for, so many are handed over before it asks again. */
  static final int AHEAD_MAX = 4;

  private final Sinks.Many<byte[]> sink = Sinks.many().unicast().onBackpressureBuffer();
  private final Semaphore wanted = new Semaphore(0);
  private final CountDownLatch closed = new CountDownLatch(1);

  /** For the connection. */
  Publisher<byte[]> pieces() {
    return sink.asFlux().doOnRequest(this::want).doOnCancel(this::close);
  }

  private void want(long more) {
    int room = AHEAD_MAX - wanted.availablePermits();
    wanted.release(Math.clamp(more, 0, Math.max(room, 0)));
  }

  /**
   * Hands a piece over.
   *
   * @param patience how long the client may take to make room for it; there is room while no more
   *     than 64 KB wait for its socket
   * @return whether the connection took it in time, and was not closed
   */
  public boolean send(byte[] piece, Duration patience) throws InterruptedException {
    return wanted.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)
        && isOpen()
        && sink.tryEmitNext(piece).isSuccess();
  }

  /** Whether the client may still read. */
  public boolean isOpen() {
    return closed.getCount() > 0;
  }

  /** Waits, and returns early when the pipe is closed. */
  public void rest(Duration time) throws InterruptedException {
    boolean _ = closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Nobody reads any more, or nothing is to be sent any more; from any thread. */
  public void close() {
    closed.countDown();
    wanted.release();
  }

  /** Ends the answer, after which the connection may be used for another request. */
  public void complete() {
    sink.tryEmitComplete();
  }

  /** Hangs up on a client that does not read. */
  public void hangUp() {
    breakOff(new SlowClientException());
  }

  /** Closes the connection, so that nobody takes what was sent for all. */
  public void breakOff(Exception cause) {
    sink.tryEmitError(cause);
  }
}
