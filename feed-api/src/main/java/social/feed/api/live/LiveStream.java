package social.feed.api.live;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.pipe.Pipe;
import social.feed.api.edge.problem.TableFailures;

/**
 * The stream of one client. It ends when the client disconnects, the token or the stream's lifetime
 * ends, or the server stops. It polls, sends the events it found, and only then polls again, less
 * often while nothing happens. It looks at its end and sends heartbeats also while it waits for its
 * turn to poll.
 */
final class LiveStream implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);

  private final LiveEventReader reader;

  /** Events to send: a part of the result of one poll. */
  private final Queue<LiveEvent> pending;

  private final Poll poll;
  private final Instant until;
  private final LiveConfiguration configuration;
  private final InstantSource clock;
  private final EventText text;
  private final Pipe pipe = new Pipe();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicInteger sent = new AtomicInteger();

  private final PollBackoff backoff;
  private Instant lastSent = Instant.EPOCH;

  /** Whether the response contains an event, and not only a heartbeat. */
  private boolean hasNews;

  private boolean isCut;

  /** Whether the last poll had no turn. */
  private boolean isWaiting;

  /** Runs a poll; a limit applies to the concurrent polls of all streams. */
  @FunctionalInterface
  interface Poll {
    /**
     * Returns the events, empty where the poll had no turn.
     *
     * @param patience how long to wait for a turn
     * @param isWanted asked once more when it is the turn of the poll
     */
    Optional<List<LiveEvent>> run(
        LiveEventReader reader, Duration patience, BooleanSupplier isWanted)
        throws InterruptedException;
  }

  LiveStream(
      LiveEventReader reader,
      List<LiveEvent> first,
      Poll poll,
      Instant until,
      LiveConfiguration configuration,
      InstantSource clock,
      EventText text) {
    this.reader = reader;
    this.pending = new ArrayDeque<>(first);
    this.poll = poll;
    this.until = until;
    this.configuration = configuration;
    this.clock = clock;
    this.text = text;
    this.backoff = new PollBackoff(configuration, reader.hasMore());
  }

  Pipe pipe() {
    return pipe;
  }

  /** Number of events handed to the connection. */
  int sent() {
    return sent.get();
  }

  @Override
  public void run() {
    try {
      while (sendAll() && continues()) {
        pending.addAll(poll());
      }
      if (configuration.once()) {
        // A client that has news may have more soon.
        Duration pause = hasNews ? configuration.poll() : configuration.idlePoll();
        pipe.send(text.retryAfter(pause), configuration.patience());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.error("A stream ends because of a failure", e);
    } finally {
      pipe.complete();
      ended.countDown();
    }
  }

  /** Returns whether to poll again, after a pause unless the response ends with what is there. */
  private boolean continues() throws InterruptedException {
    if (isWaiting) {
      return isWanted();
    }
    return configuration.once() ? reader.hasMore() && !isCut : rest();
  }

  /** Pauses; returns whether the stream continues. */
  private boolean rest() throws InterruptedException {
    Duration left = Duration.between(clock.instant(), until);
    pipe.rest(left.compareTo(backoff.pause()) < 0 ? left : backoff.pause());
    return isWanted();
  }

  private boolean isWanted() {
    return pipe.isOpen() && isValid();
  }

  private boolean isValid() {
    return clock.instant().isBefore(until);
  }

  /** Polls; a transient failure of the table is retried by the next poll. */
  private List<LiveEvent> poll() throws InterruptedException {
    isWaiting = false;
    try {
      Optional<List<LiveEvent>> polled = poll.run(reader, patience(), this::isWanted);
      isWaiting = polled.isEmpty();
      polled.ifPresent(events -> backoff.polled(!events.isEmpty(), reader.hasMore()));
      return polled.filter(events -> !events.isEmpty()).orElseGet(this::heartbeatIfSilent);
    } catch (RuntimeException e) {
      if (!TableFailures.isTransient(e)) {
        throw e;
      }
      LOG.warn("A stream retries after a transient failure: {}", String.valueOf(e));
      backoff.failed();
      isCut = true;
      return heartbeatIfSilent();
    }
  }

  /** Returns how long to wait for a turn: until the next heartbeat or the end of the stream. */
  private Duration patience() {
    Instant now = clock.instant();
    Instant heartbeat = lastSent.plus(configuration.heartbeat());
    Duration left = Duration.between(now, heartbeat.isBefore(until) ? heartbeat : until);
    return left.compareTo(configuration.heartbeat()) < 0 ? left : configuration.heartbeat();
  }

  private List<LiveEvent> heartbeatIfSilent() {
    boolean isSilent = !lastSent.plus(configuration.heartbeat()).isAfter(clock.instant());
    return isSilent ? List.of(reader.heartbeat()) : List.of();
  }

  /**
   * Sends the pending events; returns whether the client took all. Sent events are dropped at once,
   * since a slow client may take minutes.
   */
  private boolean sendAll() throws InterruptedException {
    for (LiveEvent event = pending.poll(); event != null; event = pending.poll()) {
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
      hasNews |= event.name() != null;
      lastSent = clock.instant();
    }
    return true;
  }

  /** Waits for the end, at most for a given time. */
  void awaitEnd(Duration time) throws InterruptedException {
    boolean _ = ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
