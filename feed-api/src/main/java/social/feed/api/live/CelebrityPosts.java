package social.feed.api.live;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.home.NewestPulledPosts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Keys;
import social.feed.table.row.PulledAuthor;

/**
 * Reads the newest posts of pulled authors once for all streams: half a read unit for each author
 * and poll interval, for any number of followers, and nothing where a page has just read them. What
 * a stream does not see yet, it sees with its next poll, since its floor is older than that by far.
 * So a client that comes back uses the posts that were read as well.
 */
@Singleton
final class CelebrityPosts {
  /** The most polls of all streams then use half of the connections to the table. */
  private static final int AT_ONCE = 8;

  private final HomeFeeds feeds;
  private final NewestPulledPosts newest;
  private final Duration poll;

  CelebrityPosts(HomeFeeds feeds, NewestPulledPosts newest, LiveConfiguration configuration) {
    this.feeds = feeds;
    this.newest = newest;
    this.poll = configuration.poll();
  }

  /**
   * Returns the posts of some authors from a position on, those of each author newest first; as
   * stale as one poll interval. Half a read unit for each author that no stream has read in that
   * time, and for each page of older posts than those.
   *
   * @param max of each author, as in {@link NewestFirst#from}
   */
  List<Positioned<FeedRef>> from(List<PulledAuthor> authors, String position, int max) {
    List<Positioned<FeedRef>> posts = new ArrayList<>();
    List<PulledAuthor> toRead = new ArrayList<>();
    for (PulledAuthor author : authors) {
      if (!isOver(author, position)) {
        @Nullable Page<FeedRef> known = newest.known(author, poll);
        if (known != null && NewestFirst.reaches(position, known)) {
          posts.addAll(NewestFirst.from(position, known));
        } else {
          toRead.add(author);
        }
      }
    }
    ParallelCalls.mapUntilFailure(toRead, AT_ONCE, author -> read(author, position, max))
        .forEach(posts::addAll);
    return posts;
  }

  private List<Positioned<FeedRef>> read(PulledAuthor author, String position, int max) {
    Page<FeedRef> page =
        newest.newest(
            author, NewestFirst.FIRST_PAGE, poll, request -> feeds.pulled(author, request));
    return NewestFirst.reaches(position, page)
        ? NewestFirst.from(position, page)
        : NewestFirst.from(position, max, request -> feeds.pulled(author, request));
  }

  /** Returns the time from which on a celebrity's post may be missing on a page. */
  Instant onPagesUntil() {
    return newest.certainUntil();
  }

  /** Whether all posts of the author's time as a celebrity are older than a position. */
  private static boolean isOver(PulledAuthor author, String position) {
    return author.pullUntil() != null && Keys.at(author.pullUntil()).compareTo(position) < 0;
  }
}
