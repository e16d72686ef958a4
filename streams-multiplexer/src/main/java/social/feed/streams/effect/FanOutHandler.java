package social.feed.streams.effect;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import social.feed.streams.plan.Effect.FanOut;
import social.feed.table.graph.Follower;
import social.feed.table.graph.Follows;
import social.feed.table.home.HomeFeeds;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedEntry;
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
  /** By how much the clocks of two servers may differ that stamp an author's posts. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

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
      follows.reach(post.authorId()).forEach(page -> deliver(post, page));
    }
  }

  private void deliver(Post post, List<Follower> page) {
    var followers = page.stream().filter(follower -> isOwed(post, follower)).toList();
    if (followers.isEmpty()) {
      return;
    }
    feeds.deliver(entries(post, followers));
    var first = followers.getFirst().followerId();
    var last = followers.getLast().followerId();
    var left =
        follows.reach(post.authorId(), first, last).stream()
            .map(Follower::followerId)
            .collect(Collectors.toCollection(HashSet::new));
    var gone = followers.stream().filter(f -> !left.contains(f.followerId())).toList();
    feeds.withdraw(entries(post, gone));
  }

  /** Whoever followed later got what is owed by the backfill; a replay must not add to it. */
  private static boolean isOwed(Post post, Follower follower) {
    var since = follower.feedSince();
    return since == null || !post.createdAt().isBefore(since.minus(CLOCKS_DIFFER));
  }

  private static List<FeedEntry> entries(Post post, List<Follower> followers) {
    return followers.stream().map(f -> FeedEntry.of(post.ref(), f.followerId())).toList();
  }
}
