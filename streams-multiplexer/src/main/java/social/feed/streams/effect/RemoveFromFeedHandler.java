package social.feed.streams.effect;

import java.util.ArrayList;
import java.util.List;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.HomeFeeds;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;

/**
 * Removes the author's posts from the feed after an unfollow, unless the reader keeps them or
 * follows again by now. A reader who follows again concurrently gets back what was removed. Three
 * read units, and the cost of reading the feed.
 */
public final class RemoveFromFeedHandler
    implements EffectHandler<RemoveFromFeedHandler.RemoveFromFeed> {
  /** Removes an author's posts from a former follower's feed, unless the follower keeps them. */
  public record RemoveFromFeed(Follow edge) implements Effect {}

  private final FollowEdges follows;
  private final RetainedPostsStore retainedPosts;
  private final HomeFeeds feeds;
  private final FeedReconciler reconciler;

  public RemoveFromFeedHandler(EffectContext context) {
    this.follows = context.follows;
    this.retainedPosts = context.retainedPosts;
    this.feeds = context.feeds;
    this.reconciler = context.feedReconciler;
  }

  @Override
  public void apply(List<RemoveFromFeed> effects) {
    effects.forEach(effect -> remove(effect.edge()));
  }

  private void remove(Follow edge) {
    if (mayStay(edge)) {
      return;
    }
    var withdrawn = new ArrayList<FeedEntry>();
    feeds
        .entries(edge.followerId())
        .map(page -> of(edge.followeeId(), page))
        .forEach(
            entries -> {
              feeds.withdraw(entries);
              withdrawn.addAll(entries);
            });
    if (!withdrawn.isEmpty() && mayStay(edge)) {
      reconciler.restore(withdrawn);
    }
  }

  private static List<FeedEntry> of(String authorId, List<FeedEntry> entries) {
    return entries.stream().filter(entry -> entry.authorId().equals(authorId)).toList();
  }

  private boolean mayStay(Follow edge) {
    return follows.get(edge.followerId(), edge.followeeId()).isPresent()
        || retainedPosts.keeps(edge.followerId(), edge.followeeId());
  }
}
