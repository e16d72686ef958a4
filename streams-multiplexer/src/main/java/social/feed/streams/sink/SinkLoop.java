package social.feed.streams.sink;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Receives the messages of a queue, and gives them to the consumer: a few at a time for each sink,
 * so that a sink that hangs delays its own messages only. A message that was received and could not
 * begin in time is left in the queue, which hands it out again after half a minute.
 */
public final class SinkLoop implements AutoCloseable {
  /** Messages of a sink that are handled at once. */
  static final int AT_ONCE = 4;

  private static final Logger LOG = LoggerFactory.getLogger(SinkLoop.class);

  /**
   * Messages of a sink that are handled or wait for that, in this process. The queue gives one that
   * finds no place again only after half a minute, so of a larger burst the last ones come so late.
   * A message has a few KB, and a sink that hangs holds so many of them.
   */
  public static final int TAKEN = 500;

  /** So much earlier than the queue's half a minute that a call still ends in it. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(15);

  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  /** Longer than a publisher takes, and than a receive waits. */
  private static final Duration LAST_BATCH = Duration.ofSeconds(20);

  private final SqsSinkQueue queue;
  private final SinkConsumer consumer;
  private final SqsSinkDeadLetters deadLetters;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Taken> taken = new ConcurrentHashMap<>();
  private final ReentrantLock stopping = new ReentrantLock();
  private volatile boolean isStopping;

  /** The thread that waits for messages, which only the stop may interrupt. */
  private @Nullable Thread receiver;

  /**
   * The messages of a sink that were received and are not done. One that holds none is forgotten.
   *
   * @param turns one for each message that may be handled now
   */
  private record Taken(int messages, Semaphore turns) {}

  private SinkLoop(SqsSinkQueue queue, SinkConsumer consumer, SqsSinkDeadLetters deadLetters) {
    this.queue = queue;
    this.consumer = consumer;
    this.deadLetters = deadLetters;
  }

  /**
   * Starts to receive messages.
   *
   * @param deadLetters gets what cannot be read, such as a message of a later version
   */
  public static SinkLoop start(
      SqsSinkQueue queue, SinkConsumer consumer, SqsSinkDeadLetters deadLetters) {
    var loop = new SinkLoop(queue, consumer, deadLetters);
    loop.threads.execute(loop::run);
    return loop;
  }

  private void run() {
    while (!isStopping) {
      try {
        receive().forEach(this::take);
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

  /** Returns no message once the loop stops. */
  private List<Message> receive() {
    if (!receivedBy(Thread.currentThread())) {
      return List.of();
    }
    List<Message> messages = List.of();
    boolean goesOn = false;
    try {
      messages = queue.receive(WAIT);
    } finally {
      goesOn = receivedBy(null);
    }
    return goesOn ? messages : List.of();
  }

  /** Notes which thread receives, and returns whether it may. */
  private boolean receivedBy(@Nullable Thread thread) {
    stopping.lock();
    try {
      receiver = thread;
      return !isStopping;
    } finally {
      stopping.unlock();
    }
  }

  private void take(Message received) {
    Optional<SinkMessage> message = read(received);
    if (message.isEmpty()) {
      moveToDeadLetters(received);
      return;
    }
    var sink = message.get().sink();
    var held =
        taken.compute(
            sink,
            (_, now) ->
                now == null
                    ? new Taken(1, new Semaphore(AT_ONCE))
                    : new Taken(now.messages() + 1, now.turns()));
    if (held.messages() > TAKEN) {
      done(sink);
      return;
    }
    long until = System.nanoTime() + LONGEST_WAIT.toNanos();
    threads.execute(() -> handle(received, message.get(), held.turns(), until));
  }

  private void done(String sink) {
    taken.computeIfPresent(
        sink, (_, now) -> now.messages() == 1 ? null : new Taken(now.messages() - 1, now.turns()));
  }

  private void handle(Message received, SinkMessage message, Semaphore turns, long until) {
    try {
      if (turns.tryAcquire(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        try {
          if (!isStopping) {
            consumer.handle(message);
            queue.delete(received);
          }
        } finally {
          turns.release();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("Message {} for sinks comes again", received.messageId(), e);
    } finally {
      done(message.sink());
    }
  }

  private static Optional<SinkMessage> read(Message received) {
    try {
      return Optional.of(SinkMessage.read(received.body()));
    } catch (RuntimeException e) {
      LOG.error("Message {} for sinks cannot be read", received.messageId(), e);
      return Optional.empty();
    }
  }

  private void moveToDeadLetters(Message received) {
    try {
      deadLetters.sendUnread(received.body());
      queue.delete(received);
    } catch (RuntimeException e) {
      LOG.warn("Message {} for sinks comes again", received.messageId(), e);
    }
  }

  private void pause() {
    try {
      Thread.sleep(AFTER_FAILURE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends when each message that is being handled is done, or after 20 s. A receive that waits is
   * cut off, so the queue may hide a message that comes within its second for half a minute.
   */
  @Override
  public void close() {
    stop();
    threads.shutdown();
    try {
      var _ = threads.awaitTermination(LAST_BATCH.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
  }

  private void stop() {
    stopping.lock();
    try {
      isStopping = true;
      if (receiver != null) {
        receiver.interrupt();
      }
    } finally {
      stopping.unlock();
    }
  }
}
