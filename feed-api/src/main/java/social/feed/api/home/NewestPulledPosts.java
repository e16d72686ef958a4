package social.feed.api.home;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.api.user.CacheConfiguration;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedRef;
import social.feed.table.row.PulledAuthor;

/**
 * The ten newest posts of each pulled author, read once for the home pages and the event streams of
 * all followers. A read costs half a read unit, and waits for one that is under way. Pages use what
 * was read in the last {@link CacheConfiguration#cached}, so a post can appear that late. Older
 * posts are read from the table for each page.
 */
@Singleton
public final class NewestPulledPosts implements HomeFeeds.PulledReads {
  /** Posts that half a read unit covers. */
  private static final int POSTS = 10;

  /** Some 20 MB. */
  private static final int AUTHORS_MAX = 10_000;

  /** The longest time for which a caller may use what was read; the longest poll is shorter. */
  private static final Duration KEPT = Duration.ofMinutes(5);

  private final CacheConfiguration caching;
  private final InstantSource clock;
  private final Cache<PulledAuthor, Read> newest;

  /** The posts, as the table had them at a time or later. */
  private record Read(Instant begun, Page<FeedRef> page) {
    boolean isFresh(Instant now, Duration age) {
      return now.isBefore(begun.plus(age));
    }
  }

  public NewestPulledPosts(CacheConfiguration caching, InstantSource clock) {
    this.caching = caching;
    this.clock = clock;
    this.newest =
        Caffeine.newBuilder()
            // In a smaller table, the load of one author would hold up those of some others.
            .initialCapacity(AUTHORS_MAX)
            .maximumSize(AUTHORS_MAX)
            .expireAfterWrite(KEPT)
            .build();
  }

  @Override
  public Page<FeedRef> page(
      PulledAuthor author, PageRequest request, Function<PageRequest, Page<FeedRef>> stored) {
    Duration age = caching.cached();
    if (age.isZero()) {
      return stored.apply(request);
    }
    @Nullable String after = request.after();
    if (after == null) {
      return newest(author, age, stored).first(request.limit());
    }
    @Nullable Page<FeedRef> known = known(author, age);
    return known != null && (known.next() == null || known.next().compareTo(after) < 0)
        ? below(after, known).first(request.limit())
        : stored.apply(request);
  }

  /**
   * Returns the newest posts of an author, read at most a time ago.
   *
   * @param stored reads a page of the author's posts from the table
   */
  public Page<FeedRef> newest(
      PulledAuthor author, Duration age, Function<PageRequest, Page<FeedRef>> stored) {
    return newest
        .asMap()
        .compute(
            author,
            (_, known) ->
                known != null && known.isFresh(clock.instant(), age) ? known : read(stored))
        .page();
  }

  /** Returns the newest posts of an author if they were read at most a time ago. */
  public @Nullable Page<FeedRef> known(PulledAuthor author, Duration age) {
    @Nullable Read known = newest.getIfPresent(author);
    return known != null && known.isFresh(clock.instant(), age) ? known.page() : null;
  }

  private Read read(Function<PageRequest, Page<FeedRef>> stored) {
    Instant begun = clock.instant();
    return new Read(begun, stored.apply(PageRequest.first(POSTS)));
  }

  private static Page<FeedRef> below(String position, Page<FeedRef> page) {
    return new Page<>(
        page.slots().stream().filter(slot -> slot.position().compareTo(position) < 0).toList(),
        page.next());
  }
}
