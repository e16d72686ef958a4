package social.feed.api.live;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Keys;
import social.feed.table.row.PulledAuthor;

/**
 * The newest posts of authors that are pulled, read for all streams at once: half a read unit an
 * author and poll, whoever follows.
 */
@Singleton
final class CelebrityPosts {
  private static final int AUTHORS_MAX = 10_000;

  private final HomeFeeds feeds;
  private final LoadingCache<PulledAuthor, Page<FeedRef>> newest;

  CelebrityPosts(HomeFeeds feeds, LiveConfiguration configuration) {
    this.feeds = feeds;
    this.newest =
        Caffeine.newBuilder()
            .maximumSize(AUTHORS_MAX)
            .expireAfterWrite(configuration.poll())
            .build(author -> feeds.pulled(author, PageRequest.first(NewestFirst.FEW)));
  }

  /**
   * The posts of one author from a position on, newest first, as old as a poll.
   *
   * @param max as {@link NewestFirst#from} has it
   */
  List<Positioned<FeedRef>> from(PulledAuthor author, String position, int max) {
    if (isOver(author, position)) {
      return List.of();
    }
    Page<FeedRef> page = newest.get(author);
    @Nullable String next = page.next();
    return next == null || next.compareTo(position) < 0
        ? NewestFirst.from(position, page)
        : now(author, position, max);
  }

  /** The same, as it is now. */
  List<Positioned<FeedRef>> now(PulledAuthor author, String position, int max) {
    return isOver(author, position)
        ? List.of()
        : NewestFirst.from(position, max, request -> feeds.pulled(author, request));
  }

  /** Whether no post of the author's time as a celebrity is that new. */
  private static boolean isOver(PulledAuthor author, String position) {
    return author.pullUntil() != null && Keys.at(author.pullUntil()).compareTo(position) < 0;
  }
}
