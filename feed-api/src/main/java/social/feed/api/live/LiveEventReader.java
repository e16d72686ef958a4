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
import social.feed.table.row.Keys;

/**
 * What one client is told. Each look reads again what the client may have been sent out of order,
 * and finds what it lacks. Not thread-safe.
 */
final class LiveEventReader {
  /**
   * How long it is believed whom the caller follows of the celebrities. Whoever is new is found
   * within the overlap, so nothing is missed.
   */
  private static final Duration VIEW_KEPT = Duration.ofSeconds(30);

  /**
   * So many events are made at once, as the client may see them then. The next ones are made when
   * these were sent, which may be minutes later; somebody may have blocked the caller meanwhile.
   */
  static final int PART = 20;

  private final Viewer viewer;
  private final LiveSources lists;
  private final FeedReadTracker readers;
  private final LiveConfiguration configuration;
  private final InstantSource clock;
  private FeedView view;
  private Instant viewedAt;
  private ClientProgress progress;

  /** Of what the last look found, what the client was not yet shown, the oldest first. */
  private final Deque<LiveSources.Stored> rest = new ArrayDeque<>();

  /** Up to where everything is settled once the rest was shown. */
  private EventCursor settling;

  LiveEventReader(
      Viewer viewer,
      LiveSources lists,
      FeedReadTracker readers,
      LiveConfiguration configuration,
      InstantSource clock) {
    this.viewer = viewer;
    this.lists = lists;
    this.readers = readers;
    this.configuration = configuration;
    this.clock = clock;
    this.viewedAt = clock.instant();
    this.view = readers.open(viewer.userId());
    this.settling = EventCursor.at(viewedAt);
    this.progress = ClientProgress.from(settling);
  }

  /**
   * What a client is told first: what it missed, or that it begins now.
   *
   * @param last what it has, absent for a client that is new
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
    List<LiveEvent> missed = news(true);
    return missed.isEmpty() ? List.of(heartbeat()) : missed;
  }

  /** Whether something is left of what was found, to be asked for as soon as the rest was sent. */
  boolean hasMore() {
    return !rest.isEmpty();
  }

  /** What is new, or the next part of it. */
  List<LiveEvent> next() {
    if (viewedAt.plus(VIEW_KEPT).isBefore(clock.instant())) {
      viewedAt = clock.instant();
      view = readers.open(viewer.userId());
    }
    return news(false);
  }

  /** Says nothing but that the stream is there, and how far it is. */
  LiveEvent heartbeat() {
    return new LiveEvent(new EventId(Keys.at(clock.instant()), progress), null, null);
  }

  private List<LiveEvent> news(boolean isFirst) {
    if (rest.isEmpty()) {
      settling = settled();
      LiveSources.Stored stored = lists.above(progress.floor(), view, isFirst);
      if (stored.isTooMuch()) {
        return List.of(resync(ResyncBody.Reason.TOO_MANY));
      }
      rest.addAll(stored.lackedBy(progress).parts(PART));
    }
    List<LiveEvent> events = shown();
    if (rest.isEmpty()) {
      // Only now that everything below was looked at.
      progress = progress.raisedTo(settling);
    }
    return events;
  }

  /** As much as is shown at once. What fails is there still, to be asked for again. */
  private List<LiveEvent> shown() {
    LiveSources.Stored part = rest.peek();
    if (part == null) {
      return List.of();
    }
    List<LiveSources.Shown> shown = lists.shown(viewer.later(), part);
    rest.remove();
    List<LiveEvent> events = new ArrayList<>();
    for (LiveSources.Shown one : shown) {
      progress = progress.with(one.mark());
      events.add(new LiveEvent(new EventId(one.position(), progress), one.name(), one.body()));
    }
    return events;
  }

  private LiveEvent resync(ResyncBody.Reason reason) {
    begin();
    return new LiveEvent(heartbeat().id(), LiveEvent.RESYNC, new ResyncBody(reason));
  }

  /** From here on: what is there is in the pages that the client reads next. */
  private void begin() {
    EventCursor settled = settled();
    // Also of too much the newest are named, and everything below is settled.
    progress =
        ClientProgress.from(settled).withAll(lists.above(settled, view, true).marks().toList());
  }

  /** Up to where nothing is awaited any more. */
  private EventCursor settled() {
    Instant late = clock.instant().minus(configuration.overlap());
    // What is older than the feed holds may come into it, but was on the pages all the time.
    return EventCursor.at(late.isBefore(view.storedSince()) ? view.storedSince() : late);
  }
}
