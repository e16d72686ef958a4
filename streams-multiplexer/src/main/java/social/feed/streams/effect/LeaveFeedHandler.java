package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.LeaveFeed;
import social.feed.table.graph.Follows;
import social.feed.table.home.HomeFeeds;
import social.feed.table.row.Follow;

/**
 * After an unfollow: takes the author's posts out of the feed, or marks them as kept. Whoever
 * follows again by now keeps the feed as it is.
 */
final class LeaveFeedHandler implements EffectHandler<LeaveFeed> {
  private final Follows follows;
  private final HomeFeeds feeds;

  LeaveFeedHandler(Follows follows, HomeFeeds feeds) {
    this.follows = follows;
    this.feeds = feeds;
  }

  @Override
  public void apply(List<LeaveFeed> effects) {
    effects.forEach(effect -> leave(effect.edge()));
  }

  private void leave(Follow edge) {
    if (follows.get(edge.followerId(), edge.followeeId()).isPresent()) {
      return;
    }
    if (edge.keepHistory()) {
      feeds.keepAuthor(edge.followerId(), edge.followeeId());
    } else {
      feeds.withdrawAuthor(edge.followerId(), edge.followeeId());
    }
  }
}
