package social.feed.api.live;

import io.micronaut.http.sse.Event;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.problem.TableFailures;

/**
 * One client's stream, from its first event until the client goes, its token ends or the server
 * stops. Looks, sends what it found, and only then looks again, less often while nothing happens.
 */
final class LiveStream implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveStream.class);
  private static final String ALIVE = "still here";

  private final LiveReading reading;
  private final List<LiveEvent> first;
  private final Looks looks;
  private final Instant until;
  private final LiveConfiguration configuration;
  private final InstantSource clock;
  private final JsonMapper json;
  private final EventPipe pipe = new EventPipe();
  private final CountDownLatch ended = new CountDownLatch(1);
  private Duration pause;
  private Instant lastSent = Instant.EPOCH;

  /** Looks for what is new; of all streams only some do at once. */
  @FunctionalInterface
  interface Looks {
    List<LiveEvent> at(LiveReading reading) throws InterruptedException;
  }

  LiveStream(
      LiveReading reading,
      List<LiveEvent> first,
      Looks looks,
      Instant until,
      LiveConfiguration configuration,
      InstantSource clock,
      JsonMapper json) {
    this.reading = reading;
    this.first = first;
    this.looks = looks;
    this.until = until;
    this.configuration = configuration;
    this.clock = clock;
    this.json = json;
    this.pause = configuration.poll();
  }

  EventPipe pipe() {
    return pipe;
  }

  @Override
  public void run() {
    try {
      boolean goesOn = sendAll(first);
      while (goesOn) {
        rest();
        goesOn = pipe.isOpen() && clock.instant().isBefore(until) && sendAll(look());
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

  private void rest() throws InterruptedException {
    Duration left = Duration.between(clock.instant(), until);
    pipe.rest(left.compareTo(pause) < 0 ? left : pause);
  }

  /** What is to be sent now. A table that does not answer for a moment is asked again. */
  private List<LiveEvent> look() throws InterruptedException {
    List<LiveEvent> events = List.of();
    try {
      events = looks.at(reading);
    } catch (RuntimeException e) {
      if (!TableFailures.isTransient(e)) {
        throw e;
      }
      LOG.warn("A stream waits: {}", String.valueOf(e));
      pause = configuration.idlePoll();
    }
    if (!events.isEmpty()) {
      pause = configuration.poll();
      return events;
    }
    Duration longer = pause.multipliedBy(2);
    pause = longer.compareTo(configuration.idlePoll()) < 0 ? longer : configuration.idlePoll();
    boolean isSilent = lastSent.plus(configuration.heartbeat()).isBefore(clock.instant());
    return isSilent ? List.of(reading.heartbeat()) : List.of();
  }

  /** Whether all were taken. */
  private boolean sendAll(List<LiveEvent> events) throws InterruptedException {
    for (LiveEvent event : events) {
      if (!pipe.send(onTheWire(event), configuration.patience())) {
        if (pipe.isOpen()) {
          pipe.hangUp();
        }
        return false;
      }
      lastSent = clock.instant();
    }
    return true;
  }

  /** An event without data changes the client's last id and is not shown to anybody. */
  private Event<String> onTheWire(LiveEvent event) {
    Event<String> wire = Event.of(event.data() == null ? "" : text(event.data()));
    wire.id(event.id().text());
    return event.name() == null ? wire.comment(ALIVE) : wire.name(event.name());
  }

  private String text(Object data) {
    try {
      return new String(json.writeValueAsBytes(data), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it has ended, for a while. */
  void awaitEnd(Duration time) throws InterruptedException {
    boolean _ = ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
