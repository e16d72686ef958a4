package social.feed.streams.effect;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.table.graph.Follows;
import social.feed.table.graph.KeptHistories;
import social.feed.table.home.HomeFeeds;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.KeptHistory;
import social.feed.table.row.Key;
import social.feed.table.row.Post;

/**
 * Looks at edges and posts once more after entries were written, strongly consistent, as the
 * fan-out does: an unfollow or a delete that came before is seen here, and one that comes later
 * finds the entries and removes them itself.
 */
final class SecondLook {
  private final Posts posts;
  private final Follows follows;
  private final KeptHistories kept;
  private final HomeFeeds feeds;

  SecondLook(Posts posts, Follows follows, KeptHistories kept, HomeFeeds feeds) {
    this.posts = posts;
    this.follows = follows;
    this.kept = kept;
    this.feeds = feeds;
  }

  /**
   * Takes out those entries that are not owed any more. One read unit for each post and each pair
   * of reader and author, one more where that one does not follow, and two write units for each
   * entry that goes.
   */
  void withdrawUnowed(List<FeedEntry> written) {
    var there = posts.getAll(written.stream().map(FeedEntry::postId).distinct().toList(), true);
    var edges = follows.there(written.stream().map(SecondLook::edge).distinct().toList());
    var histories = histories(written, edges);
    feeds.withdraw(
        written.stream()
            .filter(e -> !isShown(e, there.get(e.postId())) || !isLet(e, edges, histories))
            .toList());
  }

  private Map<Key, KeptHistory> histories(List<FeedEntry> written, Set<Key> edges) {
    var keys =
        written.stream()
            .filter(entry -> !edges.contains(edge(entry)))
            .map(SecondLook::history)
            .distinct()
            .toList();
    return kept.among(keys).stream()
        .collect(Collectors.toMap(KeptHistory::key, Function.identity()));
  }

  private static boolean isShown(FeedEntry entry, @Nullable Post post) {
    return post != null && post.mayBeInFeedOf(entry.readerId());
  }

  private static boolean isLet(FeedEntry entry, Set<Key> edges, Map<Key, KeptHistory> histories) {
    var history = histories.get(history(entry));
    return edges.contains(edge(entry)) || (history != null && history.covers(entry.createdAt()));
  }

  private static Key edge(FeedEntry entry) {
    return Follow.key(entry.readerId(), entry.authorId());
  }

  private static Key history(FeedEntry entry) {
    return KeptHistory.key(entry.readerId(), entry.authorId());
  }
}
