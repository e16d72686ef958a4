package social.feed.streams.effect;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import social.feed.streams.plan.Effect.Rebuild;
import social.feed.streams.plan.Effect.ReconcileFeed;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.FeedAuthor;
import social.feed.table.home.FeedAuthors;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;

/**
 * Brings the feed of somebody who came back up to date: the newest posts since they were left out.
 * Until that is done, and below what it brought, pages are read from the authors. What was deleted
 * or left meanwhile, also behind an attempt that was cut off, is taken out by the {@link
 * ReconcileFeedHandler} when the note of the end comes back by the stream. An attempt that wrote
 * after another had noted the end looks at what it wrote itself, and one that finds the note looks
 * for what an attempt behind it may have written and not looked at. Half a read unit for each
 * account that the reader follows and half of one more for each that was active; one or two write
 * units a post, for at most {@value #MAX} posts.
 */
final class RebuildHandler implements EffectHandler<Rebuild> {
  /** Posts that are brought; bounds the cost of a return and its memory. */
  static final int MAX = 1_000;

  private final FeedActivities activities;
  private final FeedAuthors authors;
  private final Posts posts;
  private final HomeFeeds feeds;
  private final FeedReconciler secondLook;
  private final ReconcileFeedHandler lookAgain;
  private final int atOnce;
  private final Clock clock;

  /**
   * @param atOnce authors whose posts are read at the same time
   */
  RebuildHandler(
      FeedActivities activities,
      FeedAuthors authors,
      Posts posts,
      HomeFeeds feeds,
      FeedReconciler secondLook,
      ReconcileFeedHandler lookAgain,
      int atOnce,
      Clock clock) {
    this.activities = activities;
    this.authors = authors;
    this.posts = posts;
    this.feeds = feeds;
    this.secondLook = secondLook;
    this.lookAgain = lookAgain;
    this.atOnce = atOnce;
    this.clock = clock;
  }

  @Override
  public void apply(List<Rebuild> effects) {
    effects.forEach(effect -> rebuild(effect.awoken().userId()));
  }

  /** As the row is now: a replay finds it done, and a dead letter of an earlier return as well. */
  private void rebuild(String readerId) {
    activities
        .get(readerId)
        .filter(awoken -> awoken.rebuildFrom() != null)
        .ifPresentOrElse(
            this::rebuild,
            () -> lookAgain.apply(List.of(new ReconcileFeed(readerId, Optional.empty()))));
  }

  private void rebuild(FeedActivity awoken) {
    var newest = newest(awoken);
    var entries = newest.refs().stream().map(post -> FeedEntry.of(post, awoken.userId())).toList();
    feeds.deliver(entries);
    if (!activities.rebuilt(awoken, newest.completeSince())) {
      secondLook.withdrawUnowed(entries);
    }
  }

  private NewestPosts newest(FeedActivity awoken) {
    var newest = new NewestPosts(posts, since(awoken), MAX);
    List<FeedAuthor> others =
        authors.of(awoken.userId()).stream()
            .filter(author -> !author.authorId().equals(awoken.userId()))
            .toList();
    ParallelCalls.map(others, atOnce, newest::collect);
    return newest;
  }

  private Instant since(FeedActivity awoken) {
    var horizon = FeedEntry.horizon(clock.instant());
    var from = awoken.rebuildFrom();
    return from == null || from.isBefore(horizon) ? horizon : from;
  }
}
