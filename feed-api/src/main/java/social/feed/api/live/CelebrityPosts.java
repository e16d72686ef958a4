package social.feed.api.live;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Keys;
import social.feed.table.row.PulledAuthor;

/**
 * Reads the newest posts of pulled authors once for all streams: half a read unit for each author
 * and poll interval, for any number of followers. What a stream does not see yet, it sees with its
 * next poll, since its floor is older than that by far. So a client that comes back uses the posts
 * that were read as well.
 */
@Singleton
final class CelebrityPosts {
  private static final int AUTHORS_MAX = 10_000;

  private final HomeFeeds feeds;
  private final LoadingCache<PulledAuthor, Page<FeedRef>> newest;

  CelebrityPosts(HomeFeeds feeds, LiveConfiguration configuration, InstantSource clock) {
    this.feeds = feeds;
    this.newest =
        Caffeine.newBuilder()
            .maximumSize(AUTHORS_MAX)
            // The time of a function goes on while it is frozen, and that of the JVM may not.
            .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
            .expireAfterWrite(configuration.poll())
            .build(author -> feeds.pulled(author, PageRequest.first(NewestFirst.FIRST_PAGE)));
  }

  /**
   * Returns the posts of an author from a position on, newest first; as stale as one poll interval.
   *
   * @param max as in {@link NewestFirst#from}
   */
  List<Positioned<FeedRef>> from(PulledAuthor author, String position, int max) {
    if (isOver(author, position)) {
      return List.of();
    }
    Page<FeedRef> page = newest.get(author);
    @Nullable String next = page.next();
    return next == null || next.compareTo(position) < 0
        ? NewestFirst.from(position, page)
        : NewestFirst.from(position, max, request -> feeds.pulled(author, request));
  }

  /** Whether all posts of the author's time as a celebrity are older than a position. */
  private static boolean isOver(PulledAuthor author, String position) {
    return author.pullUntil() != null && Keys.at(author.pullUntil()).compareTo(position) < 0;
  }
}
