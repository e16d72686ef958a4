package social.feed.streams.sink;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.sqs.model.Message;

/** Receives the messages of a queue in threads of its own, and gives them to the consumer. */
public final class SinkLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SinkLoop.class);
  private static final int THREADS = 4;
  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  /** Longer than a publisher takes, and than a receive waits. */
  private static final Duration LAST_BATCH = Duration.ofSeconds(20);

  private final SqsSinkQueue queue;
  private final SinkConsumer consumer;
  private final List<Thread> threads;
  private volatile boolean isStopping;

  private SinkLoop(SqsSinkQueue queue, SinkConsumer consumer) {
    this.queue = queue;
    this.consumer = consumer;
    this.threads =
        IntStream.range(0, THREADS)
            .mapToObj(i -> Thread.ofVirtual().name("sinks-" + i).unstarted(this::run))
            .toList();
  }

  /** Starts to receive messages. */
  public static SinkLoop start(SqsSinkQueue queue, SinkConsumer consumer) {
    var loop = new SinkLoop(queue, consumer);
    loop.threads.forEach(Thread::start);
    return loop;
  }

  private void run() {
    while (!isStopping) {
      try {
        queue.receive(WAIT).forEach(this::handle);
      } catch (AbortedException e) {
        // Interrupted by the stop.
        return;
      } catch (RuntimeException e) {
        if (!isStopping) {
          LOG.warn("The queue of the sinks cannot be read", e);
          pause();
        }
      }
    }
  }

  /** A message that is not deleted comes again after half a minute. */
  private void handle(Message received) {
    try {
      read(received).ifPresent(consumer::handle);
      queue.delete(received);
    } catch (RuntimeException e) {
      LOG.warn("Message {} for sinks comes again", received.messageId(), e);
    }
  }

  /** A message of another program is dropped: it says neither where it belongs nor what it is. */
  private static Optional<SinkMessage> read(Message received) {
    try {
      return Optional.of(SinkMessage.read(received.body()));
    } catch (RuntimeException e) {
      LOG.error("Message {} for sinks cannot be read", received.messageId(), e);
      return Optional.empty();
    }
  }

  private void pause() {
    try {
      Thread.sleep(AFTER_FAILURE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends when each thread has done its batch, or after 20 s. */
  @Override
  public void close() {
    isStopping = true;
    long end = System.nanoTime() + LAST_BATCH.toNanos();
    try {
      for (var thread : threads) {
        var _ = thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.forEach(Thread::interrupt);
  }
}
