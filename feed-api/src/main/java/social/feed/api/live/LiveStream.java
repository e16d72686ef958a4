package social.feed.api.live;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.pipe.Pipe;
import social.feed.api.edge.problem.TableFailures;

/**
 * One client's stream, from its first event until the client goes, its token or its time ends or
 * the server stops. Looks, sends what it found, and only then looks again, less often while nothing
 * happens.
 */
final class LiveStream implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);

  private final LiveEventReader reading;

  /** What was made and is still to be sent: a part of what one look finds. */
  private final Queue<LiveEvent> found;

  private final Looks looks;
  private final Instant until;
  private final LiveConfiguration configuration;
  private final InstantSource clock;
  private final EventText text;
  private final Pipe pipe = new Pipe();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger sent = new AtomicInteger();

  private final PollBackoff pace;
  private Instant lastSent = Instant.EPOCH;

  /** Looks for what is new; of all streams only some do at once. */
  @FunctionalInterface
  interface Looks {
    List<LiveEvent> at(LiveEventReader reading) throws InterruptedException;
  }

  LiveStream(
      LiveEventReader reading,
      List<LiveEvent> first,
      Looks looks,
      Instant until,
      LiveConfiguration configuration,
      InstantSource clock,
      EventText text) {
    this.reading = reading;
    this.found = new ArrayDeque<>(first);
    this.looks = looks;
    this.until = until;
    this.configuration = configuration;
    this.clock = clock;
    this.text = text;
    this.pace = new PollBackoff(configuration, reading.hasMore());
  }

  Pipe pipe() {
    return pipe;
  }

  /** How many events the connection was given. */
  int sent() {
    return sent.get();
  }

  @Override
  public void run() {
    try {
      while (sendAll() && rest()) {
        found.addAll(look());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.error("A stream ends", e);
    } finally {
      pipe.complete();
      ended.countDown();
    }
  }

  /** Whether the stream goes on after a pause. */
  private boolean rest() throws InterruptedException {
    Duration left = Duration.between(clock.instant(), until);
    pipe.rest(left.compareTo(pace.pause()) < 0 ? left : pace.pause());
    return pipe.isOpen() && isValid();
  }

  private boolean isValid() {
    return clock.instant().isBefore(until);
  }

  /** What is to be sent now. A table that does not answer for a moment is asked again. */
  private List<LiveEvent> look() throws InterruptedException {
    try {
      List<LiveEvent> events = looks.at(reading);
      pace.looked(!events.isEmpty(), reading.hasMore());
      return events.isEmpty() ? aliveIfSilent() : events;
    } catch (RuntimeException e) {
      if (!TableFailures.isTransient(e)) {
        throw e;
      }
      LOG.warn("A stream waits: {}", String.valueOf(e));
      pace.failed();
      return aliveIfSilent();
    }
  }

  private List<LiveEvent> aliveIfSilent() {
    boolean isSilent = lastSent.plus(configuration.heartbeat()).isBefore(clock.instant());
    return isSilent ? List.of(reading.heartbeat()) : List.of();
  }

  /** Whether all were taken. What was sent is let go, since a slow client may take minutes. */
  private boolean sendAll() throws InterruptedException {
    for (LiveEvent event = found.poll(); event != null; event = found.poll()) {
      if (!isValid()) {
        return false;
      }
      if (!pipe.send(text.of(event), configuration.patience())) {
        if (pipe.isOpen()) {
          pipe.hangUp();
        }
        return false;
      }
      sent.incrementAndGet();
      lastSent = clock.instant();
    }
    return true;
  }

  /** Waits until it has ended, for a while. */
  void awaitEnd(Duration time) throws InterruptedException {
    boolean _ = ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
