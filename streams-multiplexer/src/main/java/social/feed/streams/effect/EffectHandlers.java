package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import social.feed.streams.fame.CelebrityEvents;
import social.feed.streams.plan.Effect;
import social.feed.streams.plan.Effect.Announce;
import social.feed.streams.plan.Effect.AnnouncePart;
import social.feed.streams.plan.Effect.Backfill;
import social.feed.streams.plan.Effect.ChangeVisibility;
import social.feed.streams.plan.Effect.CleanUpPost;
import social.feed.streams.plan.Effect.CopyFollowing;
import social.feed.streams.plan.Effect.Count;
import social.feed.streams.plan.Effect.CountOnce;
import social.feed.streams.plan.Effect.DeliverChunk;
import social.feed.streams.plan.Effect.Engage;
import social.feed.streams.plan.Effect.Erase;
import social.feed.streams.plan.Effect.FanOut;
import social.feed.streams.plan.Effect.Flip;
import social.feed.streams.plan.Effect.LeaveFeed;
import social.feed.streams.plan.Effect.LookAgain;
import social.feed.streams.plan.Effect.Notify;
import social.feed.streams.plan.Effect.Rebuild;
import social.feed.streams.plan.Effect.Retract;
import social.feed.streams.plan.Effect.TellMentioned;
import social.feed.streams.plan.Effect.WakeErasure;
import social.feed.streams.plan.Effect.WriteTags;
import social.feed.table.counter.EffectMarks;
import social.feed.table.engagement.PostChildren;
import social.feed.table.erasure.Eraser;
import social.feed.table.erasure.Erasures;
import social.feed.table.erasure.Traces;
import social.feed.table.graph.Barriers;
import social.feed.table.graph.Follows;
import social.feed.table.graph.KeptHistories;
import social.feed.table.graph.SpecialFollows;
import social.feed.table.home.Activities;
import social.feed.table.home.FanOuts;
import social.feed.table.home.FeedAuthors;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.notification.Announcements;
import social.feed.table.notification.Notifications;
import social.feed.table.post.PostTags;
import social.feed.table.post.Posts;
import social.feed.table.post.RecentPosts;
import social.feed.table.store.Table;
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
  private final LookAgainHandler lookAgain;
  private final LeaveFeedHandler leaveFeed;
  private final NotifyHandler notify;
  private final TellMentionedHandler tellMentioned;
  private final EngageHandler engage;
  private final RetractHandler retract;
  private final AnnounceHandler announce;
  private final AnnouncePartHandler announcePart;
  private final EraseHandler erase;
  private final WakeErasureHandler wakeErasure;

  /**
   * @param backfillNewest how many posts a new follower gets
   * @param events where flips of the celebrity flag are published
   */
  public EffectHandlers(Table table, Clock clock, int backfillNewest, CelebrityEvents events) {
    this(table, clock, backfillNewest, Portions.STANDARD, events);
  }

  /**
   * @param backfillNewest how many posts a new follower gets
   * @param portions how much is done at a time
   * @param events where flips of the celebrity flag are published
   */
  public EffectHandlers(
      Table table, Clock clock, int backfillNewest, Portions portions, CelebrityEvents events) {
    var users = new Users(table);
    var posts = new Posts(table);
    var follows = new Follows(table);
    var kept = new KeptHistories(table);
    var feeds = new HomeFeeds(table);
    var children = new PostChildren(table);
    var notifications = new Notifications(table, clock);
    var causes = new Causes(table);
    var listeners = new Listeners(new Barriers(table, clock));
    var announcements = new Announcements(table, notifications);
    var specials = new SpecialFollows(table);
    var announcer =
        new Announcer(posts, specials, follows, announcements, listeners, portions.chunk());
    var registry = new PullRegistry(table);
    var fanOuts = new FanOuts(table);
    var activities = new Activities(table);
    var secondLook = new SecondLook(posts, follows, kept, feeds);
    var recentPosts = new RecentPosts(posts, backfillNewest);
    var deliveries =
        new Deliveries(follows, kept, recentPosts, feeds, secondLook, activities, clock);
    var postFeeds =
        new PostFeeds(posts, follows, feeds, fanOuts, deliveries, portions.chunk(), clock);
    var asTheyAre = new PostsAsTheyAre(posts);
    var tags = new PostTags(table);
    this.countOnce = new CountOnceHandler(new EffectMarks(table, clock), clock);
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
    this.lookAgain = new LookAgainHandler(feeds, secondLook);
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
    this.leaveFeed = new LeaveFeedHandler(follows, kept, feeds, secondLook);
    this.notify = new NotifyHandler(notifications, causes, listeners);
    this.tellMentioned = new TellMentionedHandler(asTheyAre, follows, notifications, listeners);
    this.engage = new EngageHandler(children, notifications, causes, listeners);
    this.retract = new RetractHandler(notifications);
    this.announce = new AnnounceHandler(announcer);
    this.announcePart = new AnnouncePartHandler(announcer);
    var erasures = new Erasures(table, users);
    var traces = new Traces(table, posts, follows, portions.walked());
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
      case LookAgain _ -> apply(lookAgain, LookAgain.class, effects);
      case LeaveFeed _ -> apply(leaveFeed, LeaveFeed.class, effects);
      case Notify _ -> apply(notify, Notify.class, effects);
      case TellMentioned _ -> apply(tellMentioned, TellMentioned.class, effects);
      case Engage _ -> apply(engage, Engage.class, effects);
      case Retract _ -> apply(retract, Retract.class, effects);
      case Announce _ -> apply(announce, Announce.class, effects);
      case AnnouncePart _ -> apply(announcePart, AnnouncePart.class, effects);
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
