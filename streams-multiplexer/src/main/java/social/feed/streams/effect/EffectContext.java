package social.feed.streams.effect;

import java.time.Clock;
import java.util.function.Consumer;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.sink.EventOutbox;
import social.feed.table.engagement.PostChildren;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.home.FanOuts;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaRemovals;
import social.feed.table.notification.Notifications;
import social.feed.table.notification.PostNotifications;
import social.feed.table.post.PostCleanUps;
import social.feed.table.post.PostTags;
import social.feed.table.post.Posts;
import social.feed.table.post.RecentDeliveries;
import social.feed.table.post.RecentPosts;
import social.feed.table.row.MediaRemoval;
import social.feed.table.suspicion.FollowOpenings;
import social.feed.table.suspicion.Suspects;
import social.feed.table.user.Users;

/** The stores, helpers and settings that handlers are made from; one for all of them. */
public final class EffectContext {
  final Table table;
  final Clock clock;
  final BatchSizes sizes;
  final CelebrityEvents events;
  final MediaFiles files;
  final MediaRemovals removals;
  final ObjectRemover remover;
  final EventOutbox outbox;
  final ErasureTraces traces;
  final Consumer<MediaRemoval> stuckRemovals;

  final Users users;
  final Posts posts;
  final PostTags tags;
  final PostChildren children;
  final PostCleanUps cleanUps;
  final RecentDeliveries deliveries;
  final RecentPosts recentPosts;
  final FollowEdges follows;
  final RetainedPostsStore retainedPosts;
  final HomeFeeds feeds;
  final FanOuts fanOuts;
  final FeedActivities activities;
  final PullRegistry registry;
  final Notifications notifications;
  final PostNotifications postNotifications;
  final AccountReferences references;
  final Concurrency removing;
  final ErasureSweeps sweeps;
  final ErasureQueue queue;
  final Suspects suspects;
  final FollowOpenings openings;

  final NotificationSources sources;
  final NotificationFilter filter;
  final PostReconciler postReconciler;
  final FeedReconciler feedReconciler;
  final FeedDelivery delivery;
  final PostCleaner cleaner;
  final PostFeeds postFeeds;

  public EffectContext(Table table, Clock clock, EffectSettings settings) {
    this.table = table;
    this.clock = clock;
    this.sizes = settings.sizes();
    this.events = settings.events();
    this.files = new MediaFiles(table);
    this.removals = new MediaRemovals(table);
    this.remover = new ObjectRemover(settings.media(), clock, table.retry());
    this.outbox = settings.outbox();
    this.traces = settings.traces();
    this.stuckRemovals = settings.stuckRemovals();
    this.users = new Users(table);
    this.posts = new Posts(table);
    this.tags = new PostTags(table);
    this.children = new PostChildren(table);
    this.cleanUps = new PostCleanUps(table);
    this.deliveries = new RecentDeliveries(table, clock);
    this.recentPosts = new RecentPosts(deliveries, settings.backfillNewest());
    this.follows = new FollowEdges(table);
    this.retainedPosts = new RetainedPostsStore(table);
    this.feeds = new HomeFeeds(table);
    this.fanOuts = new FanOuts(table);
    this.activities = new FeedActivities(table);
    this.registry = new PullRegistry(table);
    this.notifications = new Notifications(table, clock);
    this.postNotifications = new PostNotifications(table, notifications);
    this.removing = settings.removing();
    this.references = new AccountReferences(table, sizes.walked(), settings.sweeping().pushedTo());
    this.sweeps = new ErasureSweeps(table, settings.sweeping());
    this.queue = new ErasureQueue(table, settings.sweeping().removalUnitsPerSecond());
    this.suspects = new Suspects(table);
    this.openings = new FollowOpenings(table);
    this.sources = new NotificationSources(table);
    this.filter =
        new NotificationFilter(
            new BlocksAndMutes(table, clock), sizes.notificationsAtOnce(), clock);
    this.postReconciler = new PostReconciler(posts);
    this.feedReconciler = new FeedReconciler(posts, follows, retainedPosts, feeds);
    this.delivery =
        new FeedDelivery(
            follows, retainedPosts, recentPosts, feeds, feedReconciler, activities, clock);
    this.cleaner = new PostCleaner(cleanUps, sizes.removed(), clock);
    this.postFeeds =
        new PostFeeds(posts, deliveries, follows, cleaner, fanOuts, delivery, sizes.chunk(), clock);
  }
}
