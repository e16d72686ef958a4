package social.feed.streams.effect;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
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
 * Looks at edges and posts once more after entries were written or taken out, strongly consistent.
 * An unfollow or a delete that came before a write is seen here, and one that comes later finds the
 * entry and removes it itself. The same the other way round: whoever followed again before an entry
 * went gets it back here, and whoever does later brings it.
 */
final class FeedReconciler {
  private static final int MAX_ATTEMPTS = 8;

  private final Posts posts;
  private final FollowEdges follows;
  private final RetainedPostsStore kept;
  private final HomeFeeds feeds;

  FeedReconciler(Posts posts, FollowEdges follows, RetainedPostsStore kept, HomeFeeds feeds) {
    this.posts = posts;
    this.follows = follows;
    this.kept = kept;
    this.feeds = feeds;
  }

  /**
   * Takes out those of some entries that may not be there. One read unit for each post and each
   * pair of reader and author, one more where that one does not follow, and what {@link #withdraw}
   * costs.
   *
   * @throws ThrottledException when what is owed changes all the time
   */
  void withdrawUnowed(Collection<FeedEntry> written) {
    withdraw(unlet(written));
  }

  /**
   * Takes out entries, and puts back what is owed afterwards. Two write units an entry, and the
   * same reads.
   *
   * @throws ThrottledException when what is owed changes all the time
   */
  void withdraw(Collection<FeedEntry> unowed) {
    var pending = List.copyOf(unowed);
    for (int attempt = 0; !pending.isEmpty(); attempt++) {
      if (attempt == MAX_ATTEMPTS) {
        throw new ThrottledException("Entry " + pending.getFirst().key(), pending.size(), attempt);
      }
      feeds.withdraw(pending);
      pending = restored(pending);
    }
  }

  /** Puts back those of some entries that are owed. Costs what {@link #withdraw} does. */
  void restore(Collection<FeedEntry> withdrawn) {
    withdraw(restored(withdrawn));
  }

  /** What was put back although it may not be there after all. */
  private List<FeedEntry> restored(Collection<FeedEntry> withdrawn) {
    var now = now(withdrawn);
    var owed = withdrawn.stream().filter(now::owes).toList();
    feeds.deliver(owed);
    return unlet(owed);
  }

  private List<FeedEntry> unlet(Collection<FeedEntry> entries) {
    var now = now(entries);
    return entries.stream().filter(entry -> !now.lets(entry)).toList();
  }

  private Now now(Collection<FeedEntry> entries) {
    if (entries.isEmpty()) {
      return new Now(Map.of(), Map.of(), Map.of());
    }
    var there = posts.getAll(entries.stream().map(FeedEntry::postId).distinct().toList(), true);
    var edges = follows.at(entries.stream().map(Now::edge).distinct().toList());
    return new Now(there, edges, histories(entries, edges.keySet()));
  }

  private Map<Key, RetainedPosts> histories(Collection<FeedEntry> entries, Set<Key> edges) {
    var keys = new HashSet<Key>();
    for (var entry : entries) {
      if (!edges.contains(Now.edge(entry))) {
        keys.add(Now.history(entry));
      }
    }
    return kept.among(keys).stream()
        .collect(Collectors.toMap(RetainedPosts::key, Function.identity()));
  }

  /** Posts, edges and kept histories as they are now. */
  private record Now(
      Map<String, Post> posts, Map<Key, Follow> edges, Map<Key, RetainedPosts> histories) {
    /** Whether an entry may be there. */
    boolean lets(FeedEntry entry) {
      return isShown(entry) && (edges.containsKey(edge(entry)) || isKept(entry));
    }

    /** Whether it has to. */
    boolean owes(FeedEntry entry) {
      var edge = edges.get(edge(entry));
      return isShown(entry)
          && (edge == null
              ? isKept(entry)
              : FeedDelivery.isOwed(entry.createdAt(), edge.feedSince()));
    }

    private boolean isShown(FeedEntry entry) {
      var post = posts.get(entry.postId());
      return post != null && post.mayBeInFeedOf(entry.readerId());
    }

    private boolean isKept(FeedEntry entry) {
      var history = histories.get(history(entry));
      return history != null && history.covers(entry.createdAt());
    }

    static Key edge(FeedEntry entry) {
      return Follow.key(entry.readerId(), entry.authorId());
    }

    static Key history(FeedEntry entry) {
      return RetainedPosts.key(entry.readerId(), entry.authorId());
    }
  }
}
