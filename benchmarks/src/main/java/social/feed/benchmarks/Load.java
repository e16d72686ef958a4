package social.feed.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import social.feed.ctl.load.OpenLoad;

/** Sends requests to one server over a fixed number of connections. */
final class Load implements AutoCloseable {
  /** Bounds the requests in flight; those of an open load wait beyond it, and the wait counts. */
  static final int CONNECTIONS = 32;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final BlockingQueue<Connection> idle = new ArrayBlockingQueue<>(CONNECTIONS);
  private final List<Connection> all = new ArrayList<>();

  Load(int port) throws IOException {
    for (int i = 0; i < CONNECTIONS; i++) {
      all.add(new Connection(port));
    }
    idle.addAll(all);
  }

  /** Sends one request and returns the status. */
  int once(byte[] request) throws IOException {
    return all.getFirst().send(request);
  }

  /**
   * Sends the next request on each connection as soon as the response to the last one is there.
   *
   * @return the number of responses
   */
  long closed(Supplier<byte[]> requests, int status, Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    var answered = new AtomicLong();
    var failures = new ConcurrentLinkedQueue<RuntimeException>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var connection : all) {
        executor.execute(
            () -> {
              try {
                while (System.nanoTime() < end && failures.isEmpty()) {
                  send(connection, requests.get(), status);
                  answered.incrementAndGet();
                }
              } catch (RuntimeException e) {
                failures.add(e);
              }
            });
      }
    }
    throwFirst(failures);
    return answered.get();
  }

  /**
   * Sends requests at random times with a fixed mean rate, however fast the server answers. A
   * latency begins at the time when its request was due, so a slow server does not hide it.
   *
   * @param seed the same one gives the same times, for both sides of a round
   * @return latencies in nanoseconds
   */
  Histogram open(
      Supplier<byte[]> requests, int status, double perSecond, Duration duration, long seed) {
    var settings =
        new OpenLoad.Settings(
            perSecond,
            OpenLoad.Arrivals.POISSON,
            seed,
            duration,
            Long.MAX_VALUE,
            CONNECTIONS,
            PATIENCE);
    var result =
        new OpenLoad(settings, Stream.generate(() -> request(requests.get())).iterator()).run();
    var codes = result.codes();
    if (result.unsent() > 0 || !codes.keySet().equals(Set.of(Integer.toString(status)))) {
      throw new IllegalStateException(
          result.unsent() + " requests were not sent; answers " + codes);
    }
    return result.latency();
  }

  /** A recording of this process has the request as a {@link RequestEvent}. */
  private OpenLoad.Request request(byte[] bytes) {
    return new OpenLoad.Request(
        "all",
        late -> {
          var event = new RequestEvent();
          event.begin();
          event.late = late;
          var connection = idle.take();
          try {
            return Integer.toString(connection.send(bytes));
          } finally {
            idle.add(connection);
            event.commit();
          }
        });
  }

  private static void send(Connection connection, byte[] request, int expected) {
    try {
      int status = connection.send(request);
      if (status != expected) {
        throw new IllegalStateException("Status " + status + " instead of " + expected);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void throwFirst(ConcurrentLinkedQueue<RuntimeException> failures) {
    var first = failures.peek();
    if (first != null) {
      throw first;
    }
  }

  @Override
  public void close() throws IOException {
    for (var connection : all) {
      connection.close();
    }
  }
}
