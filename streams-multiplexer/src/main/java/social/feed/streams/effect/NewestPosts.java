package social.feed.streams.effect;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.home.FeedAuthor;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.post.Posts;
import social.feed.table.post.RecentDeliveries;
import social.feed.table.row.Keys;
import social.feed.table.row.PostRef;

/** The newest posts of several authors that a feed must hold, up to a maximum. Thread-safe. */
final class NewestPosts {
  /** The first page of an author; most have written few posts since. Each page has more. */
  private static final int FIRST_PAGE = 20;

  private static final int FACTOR = 4;

  private final Posts posts;
  private final RecentDeliveries deliveries;
  private final Instant since;
  private final @Nullable Instant until;
  private final int max;
  private final PriorityQueue<PostRef> newest =
      new PriorityQueue<>(Comparator.comparing(PostRef::createdAt));
  private final Set<String> noted = ConcurrentHashMap.newKeySet();
  private boolean cut;

  /**
   * @param since how far back at most
   * @param until the latest time of a post; null for no limit
   * @param max the most posts
   */
  NewestPosts(
      Posts posts, RecentDeliveries deliveries, Instant since, @Nullable Instant until, int max) {
    this.posts = posts;
    this.deliveries = deliveries;
    this.since = since;
    this.until = until;
    this.max = max;
  }

  /**
   * Adds the posts of an author that the feed must hold. One read unit, and one for each post
   * between the two times that was delivered lately. Half a read unit for each 4 KB of the author's
   * list between the two times, and at most some four times as much where the maximum is reached.
   *
   * @return how many posts of the list were read
   */
  int collect(FeedAuthor author) {
    var recent = new HashSet<String>();
    var candidates = new ArrayList<PostRef>();
    for (var post : deliveries.of(author.authorId())) {
      recent.add(post.postId());
      if (isInTime(post) && !author.isBefore(post) && mayAdd(post)) {
        noted.add(post.postId());
        candidates.add(post);
      }
    }
    deliveries.asTheyAre(candidates).stream().filter(author::owes).forEach(this::add);
    int examined = 0;
    int size = FIRST_PAGE;
    @Nullable String position = until == null ? null : Keys.endOf(until);
    do {
      var page = posts.ofAuthor(author.authorId(), new PageRequest(size, position));
      size = Math.min(size * FACTOR, AccessPattern.FEED_002.maxPage());
      for (var post : page.items()) {
        examined++;
        if (author.isBefore(post) || !mayAdd(post)) {
          return examined;
        }
        if (author.owes(post) && !recent.contains(post.postId())) {
          add(post);
        }
      }
      position = page.next();
    } while (position != null);
    return examined;
  }

  private boolean isInTime(PostRef post) {
    return until == null || !post.createdAt().isAfter(until);
  }

  /** False from the first post that is too old: all that follow are older. */
  private synchronized boolean mayAdd(PostRef post) {
    var oldest = newest.peek();
    boolean isLate = cut && oldest != null && post.createdAt().isBefore(oldest.createdAt());
    return !isLate && !post.createdAt().isBefore(since);
  }

  private synchronized void add(PostRef post) {
    newest.add(post);
    if (newest.size() > max) {
      newest.poll();
      cut = true;
    }
  }

  synchronized List<PostRef> refs() {
    return List.copyOf(newest);
  }

  /** The ids of those posts that were delivered lately, and of some that newer ones displaced. */
  Set<String> noted() {
    return noted;
  }

  /** The oldest time of the posts, where there are more than the maximum. */
  synchronized Instant reach() {
    var oldest = newest.peek();
    return cut && oldest != null ? oldest.createdAt() : since;
  }

  /**
   * The time since which no post is missing. More posts may have the oldest time than were taken.
   */
  synchronized Instant completeSince() {
    return cut ? reach().plusMillis(1) : since;
  }
}
