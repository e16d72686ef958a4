package social.feed.api.home;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.api.user.CacheConfiguration;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedRef;
import social.feed.table.row.PulledAuthor;

/**
 * The newest posts of each pulled author, read once for the home pages and the event streams of all
 * followers. A read has as many posts as the first request for them needs, half a read unit for
 * ten. Requests at the same time wait for it. If it fails, each of them reads by itself.
 *
 * <p>Pages use a read that began in the last {@link CacheConfiguration#cached}, so a post can
 * appear that late. Older posts are read from the table for each page.
 */
@Singleton
public final class NewestPulledPosts implements HomeFeeds.PulledReads {
  /** Posts that half a read unit covers. A smaller page reads as many. */
  private static final int POSTS_MIN = 10;

  /** Some 40 MB. */
  private static final int POSTS_MAX = 100_000;

  /** An author counts as this many posts more. */
  private static final int POSTS_OF_AN_AUTHOR = 2;

  /** Only for the memory of authors whom no request has needed for this time. */
  private static final Duration KEPT = Duration.ofMinutes(5);

  private final CacheConfiguration caching;
  private final InstantSource clock;
  private final Cache<Period, Read> newest;

  /** The pulled posts of an author, the same for all followers. */
  private record Period(String authorId, Instant from, @Nullable Instant until) {
    static Period of(PulledAuthor author) {
      return new Period(author.authorId(), author.pullFrom(), author.pullUntil());
    }
  }

  /**
   * A read that is under way, or has ended.
   *
   * @param begun the table is read after this time
   * @param posts how many were requested
   */
  private record Read(Instant begun, int posts, CompletableFuture<Page<FeedRef>> page) {
    /** A clock that was set back makes a read old as well. */
    boolean serves(Instant asked, Duration age, int needed) {
      return posts >= needed && Duration.between(begun, asked).abs().compareTo(age) < 0;
    }
  }

  public NewestPulledPosts(CacheConfiguration caching, InstantSource clock) {
    this.caching = caching;
    this.clock = clock;
    this.newest =
        Caffeine.newBuilder()
            .maximumWeight(POSTS_MAX)
            .weigher((Period _, Read read) -> POSTS_OF_AN_AUTHOR + read.posts())
            .expireAfterAccess(KEPT)
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
      int posts = Math.max(POSTS_MIN, request.limit());
      return newest(author, posts, age, stored).first(request.limit());
    }
    @Nullable Page<FeedRef> known = known(author, age);
    if (known != null) {
      Page<FeedRef> below = below(after, known);
      // A shorter page would make its request read all sources once more.
      if (known.next() == null || below.slots().size() >= request.limit()) {
        return below.first(request.limit());
      }
    }
    return stored.apply(request);
  }

  /**
   * Returns the newest posts of an author, read at most a time ago.
   *
   * @param posts how many are needed; there can be more
   * @param stored reads a page of the author's posts from the table
   */
  public Page<FeedRef> newest(
      PulledAuthor author, int posts, Duration age, Function<PageRequest, Page<FeedRef>> stored) {
    Period period = Period.of(author);
    Instant asked = clock.instant();
    @Nullable Read known = newest.getIfPresent(period);
    if (known == null || !known.serves(asked, age, posts)) {
      var own = new Read(asked, posts, new CompletableFuture<>());
      Read read =
          newest
              .asMap()
              .compute(
                  period,
                  (_, other) -> other != null && other.serves(asked, age, posts) ? other : own);
      if (read == own) {
        return read(period, own, stored);
      }
      known = read;
    }
    try {
      return known.page().join();
    } catch (CompletionException _) {
      return stored.apply(PageRequest.first(posts));
    }
  }

  private Page<FeedRef> read(Period period, Read own, Function<PageRequest, Page<FeedRef>> stored) {
    try {
      Page<FeedRef> page = stored.apply(PageRequest.first(own.posts()));
      own.page().complete(page);
      return page;
    } finally {
      if (!own.page().isDone()) {
        newest.asMap().remove(period, own);
        own.page().completeExceptionally(new IllegalStateException("The shared read failed"));
      }
    }
  }

  /** Returns the newest posts of an author if they were read at most a time ago. */
  public @Nullable Page<FeedRef> known(PulledAuthor author, Duration age) {
    @Nullable Read known = newest.getIfPresent(Period.of(author));
    return known != null
            && known.serves(clock.instant(), age, 0)
            && known.page().state() == Future.State.SUCCESS
        ? known.page().resultNow()
        : null;
  }

  /**
   * Returns the time from which on a post of a pulled author may be missing on a page, which
   * another process may answer.
   */
  public Instant certainUntil() {
    Duration age = caching.cached();
    return age.isZero() ? Instant.MAX : clock.instant().minus(age).minus(Timestamps.MAX_CLOCK_SKEW);
  }

  private static Page<FeedRef> below(String position, Page<FeedRef> page) {
    return new Page<>(
        page.slots().stream().filter(slot -> slot.position().compareTo(position) < 0).toList(),
        page.next());
  }
}
