package social.feed.streams.effect;

import java.util.Collection;
import java.util.List;
import social.feed.streams.plan.Effect.LeaveFeed;
import social.feed.table.graph.Follows;
import social.feed.table.home.HomeFeeds;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;

/**
 * After an unfollow: takes the author's posts out of the feed, or marks them as kept. Whoever
 * follows again by now keeps the feed as it is, and gets back what was taken out meanwhile.
 */
final class LeaveFeedHandler implements EffectHandler<LeaveFeed> {
  private final Posts posts;
  private final Follows follows;
  private final HomeFeeds feeds;

  LeaveFeedHandler(Posts posts, Follows follows, HomeFeeds feeds) {
    this.posts = posts;
    this.follows = follows;
    this.feeds = feeds;
  }

  @Override
  public void apply(List<LeaveFeed> effects) {
    effects.forEach(effect -> leave(effect.edge()));
  }

  private void leave(Follow edge) {
    if (follows(edge)) {
      return;
    }
    if (edge.keepHistory()) {
      feeds.keepAuthor(edge.followerId(), edge.followeeId());
      return;
    }
    var withdrawn = feeds.withdrawAuthor(edge.followerId(), edge.followeeId());
    if (!withdrawn.isEmpty() && follows(edge)) {
      restore(edge.followerId(), withdrawn);
    }
  }

  private boolean follows(Follow edge) {
    return follows.get(edge.followerId(), edge.followeeId()).isPresent();
  }

  /** A post that is deleted meanwhile is taken out again. */
  private void restore(String readerId, List<String> postIds) {
    var found = posts.getAll(postIds, true);
    feeds.deliver(entries(found.values(), readerId));
    var left = posts.getAll(found.keySet(), true).keySet();
    var gone = found.values().stream().filter(post -> !left.contains(post.postId())).toList();
    feeds.withdraw(entries(gone, readerId));
  }

  private static List<FeedEntry> entries(Collection<Post> posts, String readerId) {
    return posts.stream().map(post -> FeedEntry.of(post.ref(), readerId)).toList();
  }
}
