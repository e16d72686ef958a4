package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.plan.Effect;
import social.feed.streams.plan.Effect.Backfill;
import social.feed.streams.plan.Effect.ChangeVisibility;
import social.feed.streams.plan.Effect.CleanUpPost;
import social.feed.streams.plan.Effect.CopyFollowing;
import social.feed.streams.plan.Effect.Count;
import social.feed.streams.plan.Effect.CountOnce;
import social.feed.streams.plan.Effect.DeliverChunk;
import social.feed.streams.plan.Effect.Erase;
import social.feed.streams.plan.Effect.FanOut;
import social.feed.streams.plan.Effect.Flip;
import social.feed.streams.plan.Effect.Notify;
import social.feed.streams.plan.Effect.NotifyMentioned;
import social.feed.streams.plan.Effect.NotifySpecialFollowers;
import social.feed.streams.plan.Effect.NotifySpecialFollowersChunk;
import social.feed.streams.plan.Effect.PostInteraction;
import social.feed.streams.plan.Effect.Rebuild;
import social.feed.streams.plan.Effect.ReconcileFeed;
import social.feed.streams.plan.Effect.RemoveFromFeed;
import social.feed.streams.plan.Effect.Retract;
import social.feed.streams.plan.Effect.WakeErasure;
import social.feed.streams.plan.Effect.WriteTags;
import social.feed.table.counter.TransactionalCounters;
import social.feed.table.engagement.PostChildren;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.Eraser;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.graph.SpecialFollows;
import social.feed.table.home.FanOuts;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.FeedAuthors;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.store.Table;
import social.feed.table.notification.Notifications;
import social.feed.table.notification.PostNotifications;
import social.feed.table.post.PostTags;
import social.feed.table.post.Posts;
import social.feed.table.post.RecentPosts;
import social.feed.table.user.Users;

/** The handler of each kind of effect. */
public final class EffectHandlers {
  private final CountOnceHandler countOnce;
  private final CopyFollowingHandler copyFollowing;
  private final FlipHandler flip;
  private final WriteTagsHandler writeTags;
  private final FanOutHandler fanOut;
  private final DeliverChunkHandler deliverChunk;
  private final ChangeVisibilityHandler changeVisibility;
  private final CleanUpPostHandler cleanUpPost;
  private final BackfillHandler backfill;
  private final RebuildHandler rebuild;
  private final ReconcileFeedHandler lookAgain;
  private final RemoveFromFeedHandler leaveFeed;
  private final NotifyHandler notify;
  private final NotifyMentionedHandler tellMentioned;
  private final PostInteractionHandler engage;
  private final RetractHandler retract;
  private final NotifySpecialFollowersHandler announce;
  private final NotifySpecialFollowersChunkHandler announcePart;
  private final EraseHandler erase;
  private final WakeErasureHandler wakeErasure;

  /**
   * @param backfillNewest how many posts a new follower gets
   * @param events where flips of the celebrity flag are published
   */
  public EffectHandlers(Table table, Clock clock, int backfillNewest, CelebrityEvents events) {
    this(table, clock, backfillNewest, BatchSizes.STANDARD, events);
  }

  /**
   * @param backfillNewest how many posts a new follower gets
   * @param portions how much is done at a time
   * @param events where flips of the celebrity flag are published
   */
  public EffectHandlers(
      Table table, Clock clock, int backfillNewest, BatchSizes portions, CelebrityEvents events) {
    var users = new Users(table);
    var posts = new Posts(table);
    var follows = new FollowEdges(table);
    var kept = new RetainedPostsStore(table);
    var feeds = new HomeFeeds(table);
    var children = new PostChildren(table);
    var notifications = new Notifications(table, clock);
    var causes = new NotificationSources(table);
    var listeners = new NotificationFilter(new BlocksAndMutes(table, clock));
    var announcements = new PostNotifications(table, notifications);
    var specials = new SpecialFollows(table);
    var announcer =
        new PostNotifier(posts, specials, follows, announcements, listeners, portions.chunk());
    var registry = new PullRegistry(table);
    var fanOuts = new FanOuts(table);
    var activities = new FeedActivities(table);
    var secondLook = new FeedReconciler(posts, follows, kept, feeds);
    var recentPosts = new RecentPosts(posts, backfillNewest);
    var deliveries =
        new FeedDelivery(follows, kept, recentPosts, feeds, secondLook, activities, clock);
    var postFeeds =
        new PostFeeds(posts, follows, feeds, fanOuts, deliveries, portions.chunk(), clock);
    var asTheyAre = new PostReconciler(posts);
    var tags = new PostTags(table);
    this.countOnce = new CountOnceHandler(new TransactionalCounters(table, clock), clock);
    this.copyFollowing = new CopyFollowingHandler(users);
    this.flip = new FlipHandler(registry, events, clock);
    this.writeTags = new WriteTagsHandler(asTheyAre, tags, children);
    this.fanOut = new FanOutHandler(posts, feeds, registry, postFeeds);
    this.changeVisibility =
        new ChangeVisibilityHandler(asTheyAre, tags, children, feeds, fanOuts, postFeeds);
    this.deliverChunk =
        new DeliverChunkHandler(
            posts, follows, feeds, fanOuts, deliveries, portions.chunksAtOnce(), clock);
    this.cleanUpPost = new CleanUpPostHandler(feeds, fanOuts, children, announcements);
    this.lookAgain = new ReconcileFeedHandler(feeds, secondLook);
    this.backfill =
        new BackfillHandler(
            recentPosts, follows, feeds, secondLook, lookAgain, portions.authorsAtOnce(), clock);
    this.rebuild =
        new RebuildHandler(
            activities,
            new FeedAuthors(table),
            posts,
            feeds,
            secondLook,
            lookAgain,
            portions.authorsAtOnce(),
            clock);
    this.leaveFeed = new RemoveFromFeedHandler(follows, kept, feeds, secondLook);
    this.notify = new NotifyHandler(notifications, causes, listeners);
    this.tellMentioned = new NotifyMentionedHandler(asTheyAre, follows, notifications, listeners);
    this.engage = new PostInteractionHandler(children, notifications, causes, listeners);
    this.retract = new RetractHandler(notifications);
    this.announce = new NotifySpecialFollowersHandler(announcer);
    this.announcePart = new NotifySpecialFollowersChunkHandler(announcer);
    var erasures = new Erasures(table, users);
    var traces = new AccountReferences(table, posts, follows, portions.walked());
    this.erase = new EraseHandler(erasures, traces, new Eraser(table, clock), clock);
    this.wakeErasure = new WakeErasureHandler(erasures, clock);
  }

  /**
   * Applies effects of one kind that follow each other.
   *
   * @param effects at least one, all of the same class
   */
  public void apply(List<Effect> effects) {
    switch (effects.getFirst()) {
      case CountOnce _ -> apply(countOnce, CountOnce.class, effects);
      case CopyFollowing _ -> apply(copyFollowing, CopyFollowing.class, effects);
      case Flip _ -> apply(flip, Flip.class, effects);
      case WriteTags _ -> apply(writeTags, WriteTags.class, effects);
      case FanOut _ -> apply(fanOut, FanOut.class, effects);
      case ChangeVisibility _ -> apply(changeVisibility, ChangeVisibility.class, effects);
      case DeliverChunk _ -> apply(deliverChunk, DeliverChunk.class, effects);
      case CleanUpPost _ -> apply(cleanUpPost, CleanUpPost.class, effects);
      case Backfill _ -> apply(backfill, Backfill.class, effects);
      case Rebuild _ -> apply(rebuild, Rebuild.class, effects);
      case ReconcileFeed _ -> apply(lookAgain, ReconcileFeed.class, effects);
      case RemoveFromFeed _ -> apply(leaveFeed, RemoveFromFeed.class, effects);
      case Notify _ -> apply(notify, Notify.class, effects);
      case NotifyMentioned _ -> apply(tellMentioned, NotifyMentioned.class, effects);
      case PostInteraction _ -> apply(engage, PostInteraction.class, effects);
      case Retract _ -> apply(retract, Retract.class, effects);
      case NotifySpecialFollowers _ -> apply(announce, NotifySpecialFollowers.class, effects);
      case NotifySpecialFollowersChunk _ ->
          apply(announcePart, NotifySpecialFollowersChunk.class, effects);
      case Erase _ -> apply(erase, Erase.class, effects);
      case WakeErasure _ -> apply(wakeErasure, WakeErasure.class, effects);
      case Count count ->
          throw new IllegalArgumentException("Counts go through their own lane: " + count);
    }
  }

  /**
   * Notes that an effect has become a dead letter, where somebody may ask; a count is the letter's
   * from then on.
   */
  public void buried(Effect effect) {
    if (effect instanceof DeliverChunk chunk) {
      deliverChunk.buried(chunk);
    } else if (effect instanceof FanOut post) {
      fanOut.buried(post);
    } else if (effect instanceof CountOnce count) {
      countOnce.buried(count);
    }
  }

  /** Applies effects that became a dead letter. What was never left to one is applied as usual. */
  public void applyLate(Effect effect) {
    if (!(effect instanceof CountOnce count && countOnce.isAppliedLate(count))) {
      apply(List.of(effect));
    }
  }

  private static <E extends Effect> void apply(
      EffectHandler<E> handler, Class<E> kind, List<Effect> effects) {
    handler.apply(effects.stream().map(kind::cast).toList());
  }
}
