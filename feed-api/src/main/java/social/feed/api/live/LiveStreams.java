package social.feed.api.live;

import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.cost.CostMetrics;
import social.feed.api.edge.pipe.Pipe;
import social.feed.api.edge.security.Viewer;
import social.feed.api.home.FeedReadTracker;
import social.feed.table.kernel.cost.CostMeter;

/** Opens streams, each with a virtual thread of its own, and ends them when the server stops. */
@Singleton
final class LiveStreams
    implements ApplicationEventListener<ShutdownEvent>, GracefulShutdownCapable {
  /** So many streams look at once; other requests need connections to the table as well. */
  private static final int LOOKS_AT_ONCE = 16;

  private static final Duration END_WITHIN = Duration.ofSeconds(5);

  private final StreamLimiter places;
  private final LiveSources lists;
  private final FeedReadTracker readers;
  private final LiveConfiguration configuration;
  private final InstantSource clock;
  private final EventText text;
  private final CostMetrics metrics;
  private final ExecutorService threads;
  private final Semaphore looking = new Semaphore(LOOKS_AT_ONCE, true);
  private final Set<LiveStream> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isStopping;

  LiveStreams(
      StreamLimiter places,
      LiveSources lists,
      FeedReadTracker readers,
      LiveConfiguration configuration,
      InstantSource clock,
      EventText text,
      CostMetrics metrics,
      @Named(TaskExecutors.BLOCKING) ExecutorService threads) {
    this.places = places;
    this.lists = lists;
    this.readers = readers;
    this.configuration = configuration;
    this.clock = clock;
    this.text = text;
    this.metrics = metrics;
    this.threads = threads;
  }

  /**
   * Opens a stream. The first look is the request's own: what goes wrong in it is answered.
   *
   * @param last what the client has, absent for one that is new
   * @throws social.feed.api.edge.problem.ProblemException {@code too_many_streams}, {@code
   *     streams_exhausted}
   */
  Pipe open(Viewer viewer, @Nullable EventId last) {
    if (isStopping) {
      throw StreamLimiter.exhausted();
    }
    String userId = viewer.userId();
    places.take(userId);
    boolean isStarted = false;
    try {
      LiveEventReader reading = new LiveEventReader(viewer, lists, readers, configuration, clock);
      List<LiveEvent> first = reading.first(last);
      LiveStream stream =
          new LiveStream(reading, first, this::look, until(viewer), configuration, clock, text);
      open.add(stream);
      if (isStopping) {
        stream.pipe().close();
      }
      // From now on the thread gives the place back, also when nobody comes for the events.
      threads.execute(() -> run(stream, userId));
      isStarted = true;
      return stream.pipe();
    } finally {
      if (!isStarted) {
        places.giveBack(userId);
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
      places.giveBack(userId);
      open.remove(stream);
    }
  }

  /** Those that have not ended. */
  Set<LiveStream> open() {
    return Set.copyOf(open);
  }

  private List<LiveEvent> look(LiveEventReader reading) throws InterruptedException {
    CostMeter meter = new CostMeter();
    looking.acquire();
    try {
      return meter.measure(reading::next);
    } finally {
      looking.release();
      metrics.count(LiveController.PATH, meter.consumed());
    }
  }

  /** A server that answers what it was asked before it ends would wait for streams in vain. */
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
