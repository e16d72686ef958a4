package social.feed.api.home;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.FeedView;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * Notes who reads, and says where the parts of a feed are. A feed that was left out of deliveries
 * is read from its authors, until the stream has brought it up to date. One read unit an hour, and
 * one write unit a day; each page costs the read unit while a feed is being brought up to date.
 */
@Singleton
public final class FeedReadTracker {
  /** Much less than it takes to fall asleep. */
  private static final Duration REMEMBERED = Duration.ofHours(1);

  /** Some 2 MB of them; forgetting one costs a read unit. */
  private static final int READERS_MAX = 10_000;

  private final FeedActivities activities;
  private final Users users;
  private final PulledAuthors pulled;
  private final InstantSource clock;
  private final Cache<String, Instant> storedSince;

  FeedReadTracker(
      FeedActivities activities, Users users, PulledAuthors pulled, InstantSource clock) {
    this.activities = activities;
    this.users = users;
    this.pulled = pulled;
    this.clock = clock;
    this.storedSince =
        Caffeine.newBuilder().maximumSize(READERS_MAX).expireAfterWrite(REMEMBERED).build();
  }

  /** The feed of somebody who reads it now. */
  public FeedView open(String readerId) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return new FeedView(readerId, pulled.of(readerId), later(known(readerId, now), now));
  }

  private Instant known(String readerId, Instant now) {
    Instant remembered = storedSince.getIfPresent(readerId);
    if (remembered != null) {
      return remembered;
    }
    FeedActivity activity =
        activities.read(readerId, now, () -> users.get(readerId).map(User::createdAt));
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
