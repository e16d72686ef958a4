package social.feed.streams.effect;

import java.util.Collection;
import java.util.List;
import social.feed.streams.plan.Effect.FanOut;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;

/**
 * Puts new posts into feeds: the authors' own first, then those of the followers, unless the post
 * is pulled. Costs what {@link PostFeeds} says, and three read units a post.
 *
 * <p>An unfollow, a delete or a change of visibility can run beside it. All are looked for after
 * the entries were written, strongly consistent: one that came before is then seen here, and one
 * that comes later finds the entries and removes them itself. The author's own entry says whether
 * an earlier attempt began, which may have been cut off before it looked.
 */
final class FanOutHandler implements EffectHandler<FanOut> {
  private final Posts posts;
  private final HomeFeeds feeds;
  private final PullRegistry registry;
  private final PostFeeds postFeeds;

  FanOutHandler(Posts posts, HomeFeeds feeds, PullRegistry registry, PostFeeds postFeeds) {
    this.posts = posts;
    this.feeds = feeds;
    this.registry = registry;
    this.postFeeds = postFeeds;
  }

  @Override
  public void apply(List<FanOut> effects) {
    var ids = effects.stream().map(effect -> effect.post().postId()).toList();
    var found = posts.getAll(ids, true);
    // An earlier attempt may have delivered one that is deleted by now, and been cut off.
    effects.stream()
        .map(FanOut::post)
        .filter(post -> !found.containsKey(post.postId()))
        .forEach(post -> feeds.withdrawPost(post.postId(), post.feedShards()));
    Collection<Post> there = found.values();
    var own = there.stream().map(p -> FeedEntry.of(p.ref(), p.authorId())).toList();
    var begun = feeds.present(own);
    feeds.deliver(own.stream().filter(entry -> !begun.contains(entry.postId())).toList());
    there.stream().filter(p -> p.delivery() == FanOutMode.PULL).forEach(this::registerPulled);
    postFeeds.push(there, begun);
    postFeeds.settle(there);
  }

  /** Notes that a post can never be delivered as it is. */
  void buried(FanOut effect) {
    postFeeds.buried(effect.post().postId());
  }

  /** Whoever wrote it may have seen a flip that the registry is yet to hear of. */
  private void registerPulled(Post post) {
    registry.change(post.authorId(), post.createdAt(), author -> author.covering(post.createdAt()));
  }
}
