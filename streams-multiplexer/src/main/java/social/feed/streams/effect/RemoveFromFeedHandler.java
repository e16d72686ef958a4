package social.feed.streams.effect;

import java.util.ArrayList;
import java.util.List;
import social.feed.streams.plan.Effect.RemoveFromFeed;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.HomeFeeds;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;

/**
 * After an unfollow: takes the author's posts out of the feed, unless the reader keeps them or
 * follows again by now. Whoever does so while it is at work gets back what was taken out. Three
 * read units, and what the feed costs to read.
 */
final class RemoveFromFeedHandler implements EffectHandler<RemoveFromFeed> {
  private final FollowEdges follows;
  private final RetainedPostsStore kept;
  private final HomeFeeds feeds;
  private final FeedReconciler secondLook;

  RemoveFromFeedHandler(
      FollowEdges follows, RetainedPostsStore kept, HomeFeeds feeds, FeedReconciler secondLook) {
    this.follows = follows;
    this.kept = kept;
    this.feeds = feeds;
    this.secondLook = secondLook;
  }

  @Override
  public void apply(List<RemoveFromFeed> effects) {
    effects.forEach(effect -> leave(effect.edge()));
  }

  private void leave(Follow edge) {
    if (stays(edge)) {
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
    if (!withdrawn.isEmpty() && stays(edge)) {
      secondLook.restore(withdrawn);
    }
  }

  private static List<FeedEntry> of(String authorId, List<FeedEntry> entries) {
    return entries.stream().filter(entry -> entry.authorId().equals(authorId)).toList();
  }

  private boolean stays(Follow edge) {
    return follows.get(edge.followerId(), edge.followeeId()).isPresent()
        || kept.keeps(edge.followerId(), edge.followeeId());
  }
}
