package social.feed.streams.effect;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import social.feed.streams.plan.Effect.LeaveFeed;
import social.feed.table.graph.Follows;
import social.feed.table.graph.KeptHistories;
import social.feed.table.home.HomeFeeds;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;

/**
 * After an unfollow: takes the author's posts out of the feed, unless the reader keeps them or
 * follows again by now. Whoever does so while it is at work gets back what was taken out. Three
 * read units, and what the feed costs to read.
 */
final class LeaveFeedHandler implements EffectHandler<LeaveFeed> {
  private final Posts posts;
  private final Follows follows;
  private final KeptHistories kept;
  private final HomeFeeds feeds;

  LeaveFeedHandler(Posts posts, Follows follows, KeptHistories kept, HomeFeeds feeds) {
    this.posts = posts;
    this.follows = follows;
    this.kept = kept;
    this.feeds = feeds;
  }

  @Override
  public void apply(List<LeaveFeed> effects) {
    effects.forEach(effect -> leave(effect.edge()));
  }

  private void leave(Follow edge) {
    if (stays(edge)) {
      return;
    }
    var withdrawn = feeds.withdrawAuthor(edge.followerId(), edge.followeeId());
    if (!withdrawn.isEmpty() && stays(edge)) {
      restore(edge.followerId(), withdrawn);
    }
  }

  private boolean stays(Follow edge) {
    return follows.get(edge.followerId(), edge.followeeId()).isPresent()
        || kept.keeps(edge.followerId(), edge.followeeId());
  }

  /** A post that is deleted or made private meanwhile is taken out again. */
  private void restore(String readerId, List<String> postIds) {
    var found = shown(postIds, readerId);
    feeds.deliver(entries(found.values(), readerId));
    var left = shown(found.keySet(), readerId).keySet();
    var gone = found.values().stream().filter(post -> !left.contains(post.postId())).toList();
    feeds.withdraw(entries(gone, readerId));
  }

  private Map<String, Post> shown(Collection<String> postIds, String readerId) {
    var found = posts.getAll(postIds, true);
    found.values().removeIf(post -> !post.mayBeInFeedOf(readerId));
    return found;
  }

  private static List<FeedEntry> entries(Collection<Post> posts, String readerId) {
    return posts.stream().map(post -> FeedEntry.of(post.ref(), readerId)).toList();
  }
}
