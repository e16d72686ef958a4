package social.feed.streams.effect;

import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import social.feed.streams.plan.Effect.FanOut;
import social.feed.table.graph.Follows;
import social.feed.table.home.HomeFeeds;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Puts posts into feeds: the author's own first, then the followers' in the order of their ids, 500
 * at a time, so that memory does not grow with the audience. Two write units a feed.
 *
 * <p>An unfollow or a delete can run beside it. Both are looked for after the entries were written,
 * strongly consistent: one that came before is then seen here, and one that comes later finds the
 * entries and removes them itself.
 */
final class FanOutHandler implements EffectHandler<FanOut> {
  private final Posts posts;
  private final Follows follows;
  private final HomeFeeds feeds;

  FanOutHandler(Posts posts, Follows follows, HomeFeeds feeds) {
    this.posts = posts;
    this.follows = follows;
    this.feeds = feeds;
  }

  @Override
  public void apply(List<FanOut> effects) {
    var ids = effects.stream().map(effect -> effect.post().postId()).toList();
    var there = posts.getAll(ids, true).keySet();
    effects.stream()
        .map(FanOut::post)
        .filter(p -> there.contains(p.postId()))
        .forEach(this::deliver);
    var left = posts.getAll(there, true).keySet();
    effects.stream()
        .map(FanOut::post)
        .filter(post -> there.contains(post.postId()) && !left.contains(post.postId()))
        .forEach(post -> feeds.withdrawPost(post.postId(), post.feedShards()));
  }

  private void deliver(Post post) {
    feeds.deliver(List.of(FeedEntry.of(post.ref(), post.authorId())));
    if (post.visibility() != Visibility.PRIVATE) {
      follows.audience(post.authorId()).forEach(edges -> deliver(post, edges));
    }
  }

  private void deliver(Post post, List<Follow> edges) {
    if (edges.isEmpty()) {
      return;
    }
    feeds.deliver(edges.stream().map(edge -> FeedEntry.of(post.ref(), edge.followerId())).toList());
    var left =
        follows
            .audience(post.authorId(), edges.getFirst().followerId(), edges.getLast().followerId())
            .stream()
            .map(Follow::followerId)
            .collect(Collectors.toCollection(HashSet::new));
    feeds.withdraw(
        edges.stream()
            .filter(edge -> !left.contains(edge.followerId()))
            .map(edge -> FeedEntry.of(post.ref(), edge.followerId()))
            .toList());
  }
}
