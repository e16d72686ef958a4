package social.feed.streams.effect;

import java.util.List;
import social.feed.streams.plan.Effect.ReconcileFeed;
import social.feed.table.home.HomeFeeds;
import social.feed.table.row.FeedEntry;

/**
 * Takes out of a feed what it may not hold. It finds that through the feed's index, and is caused
 * by a record of the stream which is younger than all entries that it is to find: so it trusts that
 * an index is behind by less than the stream takes. Two handlers look without such a record, which
 * ADR 0006 owns up to. Half a read unit for each 4 KB of the feed, one for each post and each
 * author that is looked at, and two write units for each entry that goes; a page of the feed with
 * its posts is in memory at a time.
 */
final class ReconcileFeedHandler implements EffectHandler<ReconcileFeed> {
  private final HomeFeeds feeds;
  private final FeedReconciler secondLook;

  ReconcileFeedHandler(HomeFeeds feeds, FeedReconciler secondLook) {
    this.feeds = feeds;
    this.secondLook = secondLook;
  }

  @Override
  public void apply(List<ReconcileFeed> effects) {
    effects.stream().distinct().forEach(this::lookAgain);
  }

  private void lookAgain(ReconcileFeed effect) {
    feeds
        .entries(effect.readerId())
        .map(entries -> entries.stream().filter(entry -> isMeant(entry, effect)).toList())
        .forEach(secondLook::withdrawUnowed);
  }

  /** Nobody follows oneself, and one's own posts stay. */
  private static boolean isMeant(FeedEntry entry, ReconcileFeed effect) {
    return !entry.authorId().equals(effect.readerId())
        && effect.authorId().map(entry.authorId()::equals).orElse(true);
  }
}
