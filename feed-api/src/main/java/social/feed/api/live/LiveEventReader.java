package social.feed.api.live;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.security.Viewer;
import social.feed.api.home.FeedReadTracker;
import social.feed.table.home.FeedView;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Keys;

/**
 * Finds the events for one client. Each poll reads again from the client's floor on, where items
 * may have been sent out of order, and finds the items that the client lacks. Not thread-safe.
 */
final class LiveEventReader {
  /**
   * How long the set of followed celebrities is cached. A new one is found within the overlap, so
   * no event is missed.
   */
  private static final Duration VIEW_MAX_AGE = Duration.ofSeconds(30);

  /**
   * Maximum number of events that are built together, under the caller's rules at that time. The
   * next part is built after these are sent, which may be minutes later; an account may have
   * blocked the caller in the meantime.
   */
  static final int PART = 20;

  private final LiveSources sources;
  private final FeedReadTracker readers;
  private final LiveConfiguration configuration;
  private final InstantSource clock;

  /** The caller, whose blocks, mutes and follows are read again for each poll. */
  private Viewer viewer;

  private FeedView view;
  private Instant viewedAt;
  private ClientProgress progress;

  /** Items of the last poll that are not sent yet, the oldest first. */
  private final Deque<LiveSources.Stored> pending = new ArrayDeque<>();

  /** The floor of the client once the pending items are sent. */
  private EventCursor nextFloor;

  LiveEventReader(
      Viewer viewer,
      LiveSources sources,
      FeedReadTracker readers,
      LiveConfiguration configuration,
      InstantSource clock) {
    this.viewer = viewer;
    this.sources = sources;
    this.readers = readers;
    this.configuration = configuration;
    this.clock = clock;
    this.viewedAt = clock.instant();
    this.view = readers.open(viewer);
    this.nextFloor = EventCursor.at(viewedAt);
    this.progress = ClientProgress.from(nextFloor);
  }

  /**
   * Returns the first events: those that the client missed, or a heartbeat.
   *
   * @param last the client's last event, absent for a new client
   */
  List<LiveEvent> first(@Nullable EventId last) {
    if (last == null) {
      begin();
      return List.of(heartbeat());
    }
    Instant horizon = clock.instant().minus(configuration.catchUpAge());
    if (last.progress().floor().time().isBefore(horizon)) {
      return List.of(resync(ResyncBody.Reason.TOO_OLD));
    }
    progress = last.progress();
    List<LiveEvent> missed = poll();
    return missed.isEmpty() ? List.of(heartbeat()) : missed;
  }

  /** Whether found items are left, which {@link #next} returns without a new poll. */
  boolean hasMore() {
    return !pending.isEmpty();
  }

  /** Returns new events, or the next part of the last poll. */
  List<LiveEvent> next() {
    viewer = viewer.later();
    if (viewedAt.plus(VIEW_MAX_AGE).isBefore(clock.instant())) {
      Instant now = clock.instant();
      view = readers.open(viewer);
      // Only now: after a failure the next poll reads it again.
      viewedAt = now;
    }
    return poll();
  }

  /** Returns an event without data; its id contains the client's progress. */
  LiveEvent heartbeat() {
    return new LiveEvent(new EventId(Keys.at(clock.instant()), progress), null, null);
  }

  private List<LiveEvent> poll() {
    if (pending.isEmpty()) {
      nextFloor = settled();
      LiveSources.Stored stored = sources.skeleton(progress.floor(), view);
      if (stored.isTooMuch()) {
        return List.of(resync(ResyncBody.Reason.TOO_MANY));
      }
      pending.addAll(stored.lackedBy(progress).parts(PART));
    }
    List<LiveEvent> events = nextPart();
    if (pending.isEmpty()) {
      // The floor rises only after all items below it are processed.
      progress = progress.raisedTo(nextFloor);
    }
    return events;
  }

  /** Builds the events of the next part. After a failure the part stays pending. */
  private List<LiveEvent> nextPart() {
    LiveSources.Stored part = pending.peek();
    if (part == null) {
      return List.of();
    }
    List<LiveSources.Presented> presented = sources.present(viewer, part);
    pending.remove();
    List<LiveEvent> events = new ArrayList<>();
    for (LiveSources.Presented one : presented) {
      progress = progress.with(one.cursor());
      events.add(new LiveEvent(new EventId(one.position(), progress), one.name(), one.body()));
    }
    return events;
  }

  private LiveEvent resync(ResyncBody.Reason reason) {
    begin();
    return new LiveEvent(heartbeat().id(), LiveEvent.RESYNC, new ResyncBody(reason));
  }

  /**
   * Starts from now: the client reads the items before in its pages. What these may lack is sent as
   * well, though the client may have it.
   */
  private void begin() {
    EventCursor settled = settled();
    // Where there are too many items, the newest are marked as sent, and all below are settled,
    // also a celebrity's post that the pages lack.
    progress =
        ClientProgress.from(settled).withAll(sources.onPages(settled, view).cursors().toList());
  }

  /** Returns the cursor up to which no further items can enter the lists. */
  private EventCursor settled() {
    Instant late = clock.instant().minus(configuration.overlap());
    // A rebuild adds posts from before a reader's return. The pages contained them before.
    Instant returned = view.storedSince().minus(Timestamps.MAX_CLOCK_SKEW);
    return EventCursor.at(late.isBefore(returned) ? returned : late);
  }
}
