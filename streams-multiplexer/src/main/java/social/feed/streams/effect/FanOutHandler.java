package social.feed.streams.effect;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;

/**
 * Puts new posts into feeds: the authors' own first, then those of the followers, unless the post
 * is pulled. Costs the same as {@link PostFeeds}, and three read units a post.
 *
 * <p>An unfollow, a delete or a change of visibility can run concurrently. The handler checks for
 * all of them after it has written the entries, strongly consistent: one that came before is then
 * seen here, and one that comes later finds the entries and removes them itself. The author's own
 * entry shows whether an earlier attempt began, which may have been cut off before it checked.
 */
public final class FanOutHandler implements EffectHandler<FanOutHandler.FanOut> {
  /** Puts a post into the author's own feed and the followers' feeds. */
  public record FanOut(Post post) implements Effect {}

  private final Posts posts;
  private final HomeFeeds feeds;
  private final PullRegistry registry;
  private final PostFeeds postFeeds;
  private final PostCleaner cleaner;
  private final Clock clock;

  public FanOutHandler(EffectContext context) {
    this.posts = context.posts;
    this.feeds = context.feeds;
    this.registry = context.registry;
    this.postFeeds = context.postFeeds;
    this.cleaner = context.cleaner;
    this.clock = context.clock;
  }

  @Override
  public void apply(List<FanOut> effects) {
    var ids = effects.stream().map(effect -> effect.post().postId()).toList();
    var found = posts.getAll(ids, true);
    // An earlier attempt may have been cut off after it delivered a post that is deleted now.
    effects.stream()
        .map(FanOut::post)
        .filter(post -> !found.containsKey(post.postId()))
        .forEach(cleaner::removeFromFeeds);
    Collection<Post> present = found.values();
    var own = present.stream().map(p -> FeedEntry.of(p.ref(), p.authorId())).toList();
    var begun = feeds.present(own);
    feeds.deliver(own.stream().filter(entry -> !begun.contains(entry.postId())).toList());
    present.stream().filter(this::needsRegistry).forEach(this::registerPulled);
    postFeeds.push(present, begun);
    postFeeds.settle(present);
  }

  /** Notes that a post can never be delivered. */
  @Override
  public void deadLettered(FanOut effect) {
    postFeeds.fail(effect.post().postId());
  }

  /** Feeds read posts that are too old to be stored from their authors, without the registry. */
  private boolean needsRegistry(Post post) {
    return post.delivery() == FanOutMode.PULL
        && !post.createdAt().isBefore(FeedEntry.horizon(clock.instant()));
  }

  /** The post may have been written after a change of the flag that is not in the registry yet. */
  private void registerPulled(Post post) {
    registry.change(post.authorId(), post.createdAt(), author -> author.covering(post.createdAt()));
  }
}
