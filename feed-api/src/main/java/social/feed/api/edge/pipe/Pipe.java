package social.feed.api.edge.pipe;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Sinks;

/**
 * Passes a response from one thread to a connection in pieces, no faster than the client reads. A
 * piece is passed on when the connection requests one. With {@link PipeWriter} it requests one at a
 * time.
 */
public final class Pipe {
  /** The maximum number of pieces that are passed on for one request of the connection. */
  static final int AHEAD_MAX = 4;

  private final Sinks.Many<byte[]> sink = Sinks.many().unicast().onBackpressureBuffer();
  private final Semaphore requested = new Semaphore(0);
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Returns the pieces for the connection. */
  Publisher<byte[]> pieces() {
    return sink.asFlux().doOnRequest(this::request).doOnCancel(this::close);
  }

  private void request(long more) {
    int room = AHEAD_MAX - requested.availablePermits();
    requested.release(Math.clamp(more, 0, Math.max(room, 0)));
  }

  /**
   * Passes a piece to the connection.
   *
   * @param timeout how long the client may take to make room for it; there is room while no more
   *     than 64 KB wait for its socket
   * @return whether the connection accepted the piece in time and is open
   */
  public boolean send(byte[] piece, Duration timeout) throws InterruptedException {
    return requested.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)
        && isOpen()
        && sink.tryEmitNext(piece).isSuccess();
  }

  /** Whether the client may still read. */
  public boolean isOpen() {
    return closed.getCount() > 0;
  }

  /** Waits for a time, and returns early when the pipe is closed. */
  public void rest(Duration time) throws InterruptedException {
    boolean _ = closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Closes the pipe because the client or the sender has ended. Any thread may call it. */
  public void close() {
    closed.countDown();
    requested.release();
  }

  /** Ends the response. The connection remains open for another request. */
  public void complete() {
    sink.tryEmitComplete();
  }

  /** Closes the connection of a client that does not read. */
  public void hangUp() {
    breakOff(new SlowClientException());
  }

  /** Closes the connection, so that the client detects that the response is incomplete. */
  public void breakOff(Exception cause) {
    sink.tryEmitError(cause);
  }
}
