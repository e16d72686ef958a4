package social.feed.streams.effect;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import social.feed.streams.effect.ReconcileFeedHandler.ReconcileFeed;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.FeedAuthor;
import social.feed.table.home.FeedAuthors;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Retry;
import social.feed.table.post.Posts;
import social.feed.table.post.RecentDeliveries;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.User;

/**
 * Brings the feed of a returning reader up to date with the newest posts between the time since
 * when the feed was left out and the return; later posts are delivered as to every reader. Until
 * that is done, and for older posts, pages are read from the authors. An attempt checks what it has
 * written, and removes entries of posts that were deleted or of authors that were unfollowed since.
 * Those of an attempt that was cut off are removed by {@link ReconcileFeedHandler} when the note of
 * the end comes back through the stream. An attempt that finds the end noted checks the feed for
 * entries that an attempt after the note may have left unchecked.
 *
 * <p>An attempt notes how far back it reaches before it writes, so a later check reads no older
 * entries: at most {@value #MAX}, and those that came since the return.
 *
 * <p>Two read units for each author, half of one for each 4 KB of their lists, and one for each
 * post that was delivered lately; one read unit and one or two write units a post, for at most
 * {@value #MAX} posts, one read unit for each of their authors, and one write unit more where there
 * are more. One write unit more for each post whose own delivery is late.
 */
public final class RebuildHandler implements EffectHandler<RebuildHandler.Rebuild> {
  /** Brings the feed of a returning reader up to date. */
  public record Rebuild(FeedActivity activity) implements Effect {}

  /** Posts that are delivered; bounds the cost of a return and its memory. */
  static final int MAX = 1_000;

  private final FeedActivities activities;
  private final FeedAuthors authors;
  private final Posts posts;
  private final RecentDeliveries deliveries;
  private final HomeFeeds feeds;
  private final FeedReconciler reconciler;
  private final Retry retry;
  private final int atOnce;
  private final Clock clock;

  public RebuildHandler(EffectContext context) {
    this.activities = context.activities;
    this.authors = new FeedAuthors(context.table);
    this.posts = context.posts;
    this.deliveries = context.deliveries;
    this.feeds = context.feeds;
    this.reconciler = context.feedReconciler;
    this.retry = context.table.retry();
    this.atOnce = context.sizes.authorsAtOnce();
    this.clock = context.clock;
  }

  @Override
  public void apply(List<Rebuild> effects) {
    effects.forEach(effect -> rebuild(effect.activity()));
  }

  /** Uses the row as it is now: a replay, or a dead letter of an earlier return, finds it done. */
  private void rebuild(FeedActivity returned) {
    var readerId = returned.userId();
    retry.onRest(
        "Feed of " + User.key(readerId),
        readerId,
        _ -> {
          var activity = activities.get(readerId).filter(now -> now.rebuildFrom() != null);
          if (activity.isEmpty()) {
            reconciler.reconcile(new ReconcileFeed(readerId, Optional.empty(), since(returned)));
          }
          return activity.filter(now -> !isRebuilt(now)).map(_ -> readerId);
        });
  }

  /** Returns false, and writes no entry, where another attempt has noted its progress meanwhile. */
  private boolean isRebuilt(FeedActivity activity) {
    var since = since(activity);
    var newest = newest(activity, since);
    var reach = newest.reach();
    var noted = reach.isAfter(since) ? activities.reaching(activity, reach) : Optional.of(activity);
    if (noted.isEmpty()) {
      return false;
    }
    var entries =
        newest.refs().stream().map(post -> FeedEntry.of(post, activity.userId())).toList();
    deliveries.beginListed(newest.refs(), newest.noted());
    feeds.deliver(entries);
    reconciler.withdrawIneligible(entries);
    activities.rebuilt(noted.get(), newest.completeSince());
    return true;
  }

  private NewestPosts newest(FeedActivity activity, Instant since) {
    var newest = new NewestPosts(posts, deliveries, since, activity.storedSince(), MAX);
    List<FeedAuthor> others =
        authors.of(activity.userId()).stream()
            .filter(author -> !author.authorId().equals(activity.userId()))
            .toList();
    ParallelCalls.map(others, atOnce, newest::collect);
    return newest;
  }

  private Instant since(FeedActivity activity) {
    var horizon = FeedEntry.horizon(clock.instant());
    var from = activity.rebuildFrom();
    return from == null || from.isBefore(horizon) ? horizon : from;
  }
}
