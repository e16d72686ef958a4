package social.feed.api.live;

import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.http.HttpMethod;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.cost.CostMetrics;
import social.feed.api.edge.log.RequestFields;
import social.feed.api.edge.pipe.Pipe;
import social.feed.api.edge.security.Viewer;
import social.feed.api.home.FeedReadTracker;
import social.feed.table.kernel.cost.CostMeter;

/** Opens streams, each on its own virtual thread, and ends them when the server stops. */
@Singleton
final class LiveStreams
    implements ApplicationEventListener<ShutdownEvent>, GracefulShutdownCapable {
  /** Streams that poll concurrently; other requests need connections to the table as well. */
  private static final int CONCURRENT_POLLS = 16;

  private static final Duration END_WITHIN = Duration.ofSeconds(5);

  private final StreamLimiter limiter;
  private final LiveSources sources;
  private final FeedReadTracker readers;
  private final LiveConfiguration configuration;
  private final InstantSource clock;
  private final EventText text;
  private final CostMetrics metrics;
  private final ExecutorService threads;
  private final Semaphore polling = new Semaphore(CONCURRENT_POLLS, true);
  private final Set<LiveStream> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isStopping;

  LiveStreams(
      StreamLimiter limiter,
      LiveSources sources,
      FeedReadTracker readers,
      LiveConfiguration configuration,
      InstantSource clock,
      EventText text,
      CostMetrics metrics,
      @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
    this.limiter = limiter;
    this.sources = sources;
    this.readers = readers;
    this.configuration = configuration;
    this.clock = clock;
    this.text = text;
    this.metrics = metrics;
    this.threads = threads;
  }

  /**
   * Opens a stream. The request itself runs the first poll, so its failures become the response.
   *
   * @param last the client's last event, absent for a new client
   * @throws social.feed.api.edge.problem.ProblemException {@code too_many_streams}, {@code
   *     streams_exhausted}
   */
  Pipe open(Viewer viewer, @Nullable EventId last) {
    if (isStopping) {
      throw StreamLimiter.exhausted();
    }
    String userId = viewer.userId();
    limiter.acquire(userId);
    boolean isStarted = false;
    try {
      LiveEventReader reader = new LiveEventReader(viewer, sources, readers, configuration, clock);
      List<LiveEvent> first = reader.first(last);
      LiveStream stream =
          new LiveStream(reader, first, this::poll, until(viewer), configuration, clock, text);
      open.add(stream);
      if (isStopping) {
        stream.pipe().close();
      }
      // From now on the thread releases the slot, also when no client reads the events.
      threads.execute(RequestFields.carriedInto(() -> run(stream, userId)));
      isStarted = true;
      return stream.pipe();
    } finally {
      if (!isStarted) {
        limiter.release(userId);
      }
    }
  }

  /** Until the token ends, and no longer than a stream lasts. */
  private Instant until(Viewer viewer) {
    Instant latest = clock.instant().plus(configuration.lasts());
    return viewer.until().isBefore(latest) ? viewer.until() : latest;
  }

  private void run(LiveStream stream, String userId) {
    try {
      stream.run();
    } finally {
      limiter.release(userId);
      open.remove(stream);
    }
  }

  /** Returns the streams that have not ended. */
  Set<LiveStream> open() {
    return Set.copyOf(open);
  }

  private Optional<List<LiveEvent>> poll(
      LiveEventReader reader, Duration patience, BooleanSupplier isWanted)
      throws InterruptedException {
    if (!polling.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      return Optional.empty();
    }
    CostMeter meter = new CostMeter();
    try {
      return isWanted.getAsBoolean() ? Optional.of(meter.measure(reader::next)) : Optional.empty();
    } finally {
      polling.release();
      metrics.count(HttpMethod.GET, LiveController.PATH, meter.consumed());
    }
  }

  /** Ends the streams first; a server that drains open requests would wait for them in vain. */
  @Override
  public CompletionStage<?> shutdownGracefully() {
    end();
    return CompletableFuture.completedStage(null);
  }

  private List<LiveStream> end() {
    isStopping = true;
    List<LiveStream> last = List.copyOf(open);
    last.forEach(stream -> stream.pipe().close());
    return last;
  }

  @Override
  public void onApplicationEvent(ShutdownEvent stopping) {
    try {
      Instant latest = Instant.now().plus(END_WITHIN);
      for (LiveStream stream : end()) {
        stream.awaitEnd(Duration.between(Instant.now(), latest));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
