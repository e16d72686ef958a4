package social.feed.streams.effect;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import social.feed.streams.effect.ReconcileFeedHandler.ReconcileFeed;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.RetainedPosts;

/**
 * Checks edges and posts after entries were written or removed, strongly consistent. An unfollow or
 * a delete that came before a write is seen here, and one that comes later finds the entry and
 * removes it itself. The reverse holds too: a reader who followed again before an entry was removed
 * gets it back here, and a later follow delivers it.
 */
final class FeedReconciler {
  private final Posts posts;
  private final FollowEdges follows;
  private final RetainedPostsStore retainedPosts;
  private final HomeFeeds feeds;

  FeedReconciler(
      Posts posts, FollowEdges follows, RetainedPostsStore retainedPosts, HomeFeeds feeds) {
    this.posts = posts;
    this.follows = follows;
    this.retainedPosts = retainedPosts;
    this.feeds = feeds;
  }

  /** Removes the entries of a feed that may not be there. See {@link ReconcileFeedHandler}. */
  void reconcile(ReconcileFeed feed) {
    feeds
        .entries(feed.readerId(), feed.since())
        .map(entries -> entries.stream().filter(entry -> isConcerned(entry, feed)).toList())
        .forEach(this::withdrawIneligible);
  }

  /** No account follows itself, and a reader's own posts stay. */
  private static boolean isConcerned(FeedEntry entry, ReconcileFeed feed) {
    return !entry.authorId().equals(feed.readerId())
        && feed.authorId().map(entry.authorId()::equals).orElse(true);
  }

  /**
   * Removes those of some entries that may not be there. One read unit for each post and each pair
   * of reader and author, one more where the reader does not follow, and the cost of {@link
   * #withdraw}.
   *
   * @throws ThrottledException when eligibility changes with each attempt
   */
  void withdrawIneligible(Collection<FeedEntry> written) {
    withdraw(ineligible(written));
  }

  /**
   * Removes entries, and restores those that the feed must hold afterwards. Two write units an
   * entry, and the same reads.
   *
   * @throws ThrottledException when eligibility changes with each attempt
   */
  void withdraw(Collection<FeedEntry> entries) {
    Settle.all(
        "Entries of feeds",
        entries,
        pending -> {
          feeds.withdraw(pending);
          return restoreRequired(pending);
        });
  }

  /** Restores those of some entries that the feed must hold. Costs as much as {@link #withdraw}. */
  void restore(Collection<FeedEntry> withdrawn) {
    withdraw(restoreRequired(withdrawn));
  }

  /** Returns the restored entries that may not be there after all. */
  private List<FeedEntry> restoreRequired(Collection<FeedEntry> withdrawn) {
    var now = now(withdrawn);
    var required = withdrawn.stream().filter(now::isRequired).toList();
    feeds.deliver(required);
    return ineligible(required);
  }

  private List<FeedEntry> ineligible(Collection<FeedEntry> entries) {
    var now = now(entries);
    return entries.stream().filter(entry -> !now.isEligible(entry)).toList();
  }

  private Now now(Collection<FeedEntry> entries) {
    if (entries.isEmpty()) {
      return new Now(Map.of(), Map.of(), Map.of());
    }
    var present = posts.getAll(entries.stream().map(FeedEntry::postId).distinct().toList(), true);
    var edges = follows.at(entries.stream().map(Now::edge).distinct().toList());
    return new Now(present, edges, retained(entries, edges.keySet()));
  }

  private Map<Key, RetainedPosts> retained(Collection<FeedEntry> entries, Set<Key> edges) {
    var keys = new HashSet<Key>();
    for (var entry : entries) {
      if (!edges.contains(Now.edge(entry))) {
        keys.add(Now.retained(entry));
      }
    }
    return retainedPosts.among(keys).stream()
        .collect(Collectors.toMap(RetainedPosts::key, Function.identity()));
  }

  /** Posts, edges and retained posts as they are now. */
  private record Now(
      Map<String, Post> posts, Map<Key, Follow> edges, Map<Key, RetainedPosts> retained) {
    /** Whether a feed may hold an entry. */
    boolean isEligible(FeedEntry entry) {
      return isShown(entry) && (edges.containsKey(edge(entry)) || isRetained(entry));
    }

    /** Whether a feed must hold an entry. */
    boolean isRequired(FeedEntry entry) {
      var edge = edges.get(edge(entry));
      return isShown(entry)
          && (edge == null
              ? isRetained(entry)
              : FeedDelivery.isEligible(entry.createdAt(), edge.feedSince()));
    }

    private boolean isShown(FeedEntry entry) {
      var post = posts.get(entry.postId());
      return post != null && post.mayBeInFeedOf(entry.readerId());
    }

    private boolean isRetained(FeedEntry entry) {
      var row = retained.get(retained(entry));
      return row != null && row.covers(entry.createdAt());
    }

    static Key edge(FeedEntry entry) {
      return Follow.key(entry.readerId(), entry.authorId());
    }

    static Key retained(FeedEntry entry) {
      return RetainedPosts.key(entry.readerId(), entry.authorId());
    }
  }
}
