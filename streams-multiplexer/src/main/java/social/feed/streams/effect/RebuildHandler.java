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
import social.feed.table.post.Posts;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;

/**
 * Brings the feed of a returning reader up to date with the newest posts since the feed was left
 * out. Until that is done, and for older posts, pages are read from the authors. Entries of posts
 * that were deleted or of authors that were unfollowed since, including those of an attempt that
 * was cut off, are removed by {@link ReconcileFeedHandler} when the note of the end comes back
 * through the stream. An attempt that wrote after another one had noted the end checks its own
 * entries. An attempt that finds the end noted checks the whole feed, for entries that an attempt
 * after the note may have left unchecked.
 *
 * <p>Half a read unit for each account that the reader follows and half of one more for each that
 * was active; one or two write units a post, for at most {@value #MAX} posts.
 */
public final class RebuildHandler implements EffectHandler<RebuildHandler.Rebuild> {
  /** Brings the feed of a returning reader up to date. */
  public record Rebuild(FeedActivity activity) implements Effect {}

  /** Posts that are delivered; bounds the cost of a return and its memory. */
  static final int MAX = 1_000;

  private final FeedActivities activities;
  private final FeedAuthors authors;
  private final Posts posts;
  private final HomeFeeds feeds;
  private final FeedReconciler reconciler;
  private final int atOnce;
  private final Clock clock;

  public RebuildHandler(EffectContext context) {
    this.activities = context.activities;
    this.authors = new FeedAuthors(context.table);
    this.posts = context.posts;
    this.feeds = context.feeds;
    this.reconciler = context.feedReconciler;
    this.atOnce = context.sizes.authorsAtOnce();
    this.clock = context.clock;
  }

  @Override
  public void apply(List<Rebuild> effects) {
    effects.forEach(effect -> rebuild(effect.activity().userId()));
  }

  /** Uses the row as it is now: a replay, or a dead letter of an earlier return, finds it done. */
  private void rebuild(String readerId) {
    activities
        .get(readerId)
        .filter(activity -> activity.rebuildFrom() != null)
        .ifPresentOrElse(
            this::rebuild,
            () -> reconciler.reconcile(new ReconcileFeed(readerId, Optional.empty())));
  }

  private void rebuild(FeedActivity activity) {
    var newest = newest(activity);
    var entries =
        newest.refs().stream().map(post -> FeedEntry.of(post, activity.userId())).toList();
    feeds.deliver(entries);
    if (!activities.rebuilt(activity, newest.completeSince())) {
      reconciler.withdrawIneligible(entries);
    }
  }

  private NewestPosts newest(FeedActivity activity) {
    var newest = new NewestPosts(posts, since(activity), MAX);
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
