package social.feed.api.home;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import social.feed.api.edge.security.Viewer;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.FeedView;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.User;

/**
 * Records that a reader opened the feed, and returns where the parts of the feed are stored. A feed
 * that deliveries skipped is read from its authors until the stream has rebuilt it. One read unit
 * an hour and one write unit a day; one read unit a page while a feed is being rebuilt.
 */
@Singleton
public final class FeedReadTracker {
  /** Much shorter than the absence after which deliveries skip a feed. */
  private static final Duration MAX_AGE = Duration.ofHours(1);

  /** Some 2 MB; an evicted reader costs a read unit. */
  private static final int READERS_MAX = 10_000;

  private final FeedActivities activities;
  private final PulledAuthors pulled;
  private final InstantSource clock;
  private final Cache<String, Instant> storedSince;

  FeedReadTracker(FeedActivities activities, PulledAuthors pulled, InstantSource clock) {
    this.activities = activities;
    this.pulled = pulled;
    this.clock = clock;
    this.storedSince =
        Caffeine.newBuilder().maximumSize(READERS_MAX).expireAfterWrite(MAX_AGE).build();
  }

  /** Returns the feed of a caller who reads it now. */
  public FeedView open(Viewer viewer) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return new FeedView(viewer.userId(), pulled.of(viewer), later(storedSince(viewer, now), now));
  }

  private Instant storedSince(Viewer viewer, Instant now) {
    String readerId = viewer.userId();
    Instant cached = storedSince.getIfPresent(readerId);
    if (cached != null) {
      return cached;
    }
    FeedActivity activity =
        activities.read(readerId, now, () -> viewer.account().map(User::createdAt));
    Instant since = activity.storedSince() == null ? Instant.EPOCH : activity.storedSince();
    if (activity.rebuildFrom() == null) {
      storedSince.put(readerId, since);
    }
    return since;
  }

  private static Instant later(Instant since, Instant now) {
    Instant horizon = FeedEntry.horizon(now);
    return since.isBefore(horizon) ? horizon : since;
  }
}
