package social.feed.streams.plan;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import social.feed.streams.change.Change;
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
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * What each change of the table causes, all of it, on one page. It decides and does nothing else; a
 * new kind of row does not compile here until somebody decides what it causes.
 */
public final class Plan {
  private static final String CREATED = "created";
  private static final String DELETED = "deleted";

  private final NotificationPlan notifications;
  private final Duration halfLife;

  /**
   * With the half-life of tags that is usual.
   *
   * @param notificationsLive how long a notification is kept
   */
  public Plan(Duration notificationsLive) {
    this(notificationsLive, TrendingTags.HALF_LIFE);
  }

  /**
   * @param notificationsLive how long a notification is kept
   * @param halfLife in which a use of a tag loses half its worth, in whole hours
   */
  public Plan(Duration notificationsLive, Duration halfLife) {
    this.notifications = new NotificationPlan(notificationsLive);
    this.halfLife = TrendingTags.requireHours(halfLife);
  }

  /** The effects of a change, in the order in which they are to be applied. */
  public List<Effect> of(Change change) {
    return switch (change) {
      case Change.Inserted(var row) -> inserted(row);
      case Change.Modified(var before, var after) -> modified(before, after);
      case Change.Removed(var row) -> removed(row);
      case Change.Expired(ErasureTimer alarm) -> List.of(new WakeErasure(alarm));
      // What else expired is bookkeeping; nothing that others see may follow from it.
      case Change.Expired _ -> List.of();
    };
  }

  /**
   * The counts of a record that nobody can read, as far as it tells, with nothing to add: what it
   * would add is not known.
   */
  public List<Effect> ofUnread(DynamodbStreamRecord record) {
    return UnreadableCounts.of(record, halfLife);
  }

  private List<Effect> inserted(Row row) {
    return switch (row) {
      case Post post -> postInserted(post);
      case Like like ->
          List.of(
              new Count(Post.key(like.postId()), Post.LIKES_COUNT, 1),
              new PostInteraction(like.postId(), like.key(), notifications.of(like)));
      case Comment comment ->
          List.of(
              new Count(Post.key(comment.postId()), Post.COMMENTS_COUNT, 1),
              new PostInteraction(comment.postId(), comment.key(), notifications.of(comment)));
      case Follow edge -> followInserted(edge);
      case FollowQuota quota -> List.of(copy(quota));
      case FanOutChunk chunk -> List.of(new DeliverChunk(chunk));
      case PostNotificationChunk part -> List.of(new NotifySpecialFollowersChunk(part));
      case FeedActivity activity -> rebuild(activity);
      case Erasure erasure -> erase(erasure);
      // Its end is what matters, and only when it comes by itself.
      case ErasureTimer _ -> List.of();
      case User _, HandleClaim _, PostTag _, FeedEntry _, PulledAuthor _, Notification _ ->
          List.of();
      case TopAuthor _, TagTrend _ -> List.of();
      // A block hides at once; what it ended are edges, whose removal has its own effects.
      case Block _, BlockedBy _, Mute _ -> List.of();
      // From the next post on.
      case SpecialFollower _ -> List.of();
      case PostNotification _,
          RetainedPosts _,
          FanOutPlan _,
          ProcessedEvent _,
          IdempotencyRecord _ ->
          List.of();
    };
  }

  private List<Effect> modified(Row before, Row after) {
    return switch (after) {
      case User user when before instanceof User old -> flip(old, user);
      case FollowQuota quota -> List.of(copy(quota));
      case FeedActivity activity when before instanceof FeedActivity old -> awoken(old, activity);
      case Post post when before instanceof Post old -> changed(old, post);
      case Follow edge when before instanceof Follow old -> retried(old, edge);
      case Erasure erasure -> erase(erasure);
      case ErasureTimer _ -> List.of();
      case Post _, Follow _, SpecialFollower _ -> List.of();
      case User _, HandleClaim _, PostTag _, FeedEntry _, PulledAuthor _, Notification _ ->
          List.of();
      case TopAuthor _, TagTrend _ -> List.of();
      case Like _, Comment _, RetainedPosts _, FeedActivity _, FanOutPlan _, FanOutChunk _ ->
          List.of();
      case PostNotification _, PostNotificationChunk _ -> List.of();
      case Block _, BlockedBy _, Mute _, ProcessedEvent _, IdempotencyRecord _ -> List.of();
    };
  }

  private List<Effect> removed(Row row) {
    return switch (row) {
      case Post post -> postRemoved(post);
      case Like like ->
          with(
              new Count(Post.key(like.postId()), Post.LIKES_COUNT, -1),
              notifications.of(like).map(n -> new Retract(n.key())));
      case Comment comment ->
          with(
              new Count(Post.key(comment.postId()), Post.COMMENTS_COUNT, -1),
              notifications.of(comment).map(n -> new Retract(n.key())));
      case Follow edge ->
          List.of(
              new Count(User.key(edge.followeeId()), User.FOLLOWERS_COUNT, -1),
              gained(edge, -1),
              new RemoveFromFeed(edge),
              new Retract(notifications.of(edge).key()));
      case User _, HandleClaim _, PostTag _, FeedEntry _, PulledAuthor _, Notification _ ->
          List.of();
      case TopAuthor _, TagTrend _ -> List.of();
      case FollowQuota _, RetainedPosts _, FeedActivity _, FanOutPlan _, FanOutChunk _ -> List.of();
      case Erasure _, ErasureTimer _ -> List.of();
      // Whoever was told before stays so, as of a mention.
      case SpecialFollower _, PostNotification _, PostNotificationChunk _ -> List.of();
      case Block _, BlockedBy _, Mute _, ProcessedEvent _, IdempotencyRecord _ -> List.of();
    };
  }

  private List<Effect> postInserted(Post post) {
    var effects = new ArrayList<Effect>();
    effects.add(countPost(post, CREATED, 1));
    effects.addAll(uses(post, 1));
    effects.add(new FanOut(post));
    if (!post.tags().isEmpty()) {
      effects.add(new WriteTags(post));
    }
    if (post.visibility() != Visibility.PRIVATE) {
      effects.addAll(tellMentioned(post));
      effects.add(announce(post));
    }
    return effects;
  }

  /** Counters aside only the visibility changes. Followers have the post whether others do. */
  private List<Effect> changed(Post before, Post after) {
    if (before.visibility() == after.visibility()) {
      return List.of();
    }
    var effects = new ArrayList<>(uses(before, -1));
    effects.addAll(uses(after, 1));
    boolean ofFeeds =
        before.visibility() == Visibility.PRIVATE || after.visibility() == Visibility.PRIVATE;
    effects.add(ofFeeds ? new ChangeVisibility(after) : new WriteTags(after));
    effects.addAll(tellMentioned(after));
    effects.add(announce(after));
    return effects;
  }

  /** Whoever ends an edge takes from the month in which it began, whenever that was. */
  private static Effect gained(Follow edge, long delta) {
    return new Count(TopAuthor.key(edge.createdAt(), edge.followeeId()), TopAuthor.GAINED, delta);
  }

  /** Only what everybody may read makes a tag trend. */
  private List<Effect> uses(Post post, long delta) {
    return post.visibility() == Visibility.PUBLIC
        ? post.tags().stream().map(tag -> use(tag, post, delta)).toList()
        : List.of();
  }

  private Effect use(String tag, Post post, long delta) {
    return new Count(TagTrend.key(halfLife, tag), TagTrend.hour(post.createdAt()), delta);
  }

  private List<Effect> postRemoved(Post post) {
    var effects = new ArrayList<Effect>();
    effects.add(countPost(post, DELETED, -1));
    effects.addAll(uses(post, -1));
    effects.add(new CleanUpPost(post));
    told(post).forEach(notification -> effects.add(new Retract(notification.key())));
    return effects;
  }

  private List<Effect> followInserted(Follow edge) {
    var effects = new ArrayList<Effect>();
    effects.add(new Count(User.key(edge.followeeId()), User.FOLLOWERS_COUNT, 1));
    effects.add(gained(edge, 1));
    effects.add(new Backfill(edge));
    if (!edge.silent()) {
      effects.add(new Notify(notifications.of(edge), edge.key()));
    }
    return effects;
  }

  private List<Effect> tellMentioned(Post post) {
    var told = told(post);
    return told.isEmpty() ? List.of() : List.of(new NotifyMentioned(post, told));
  }

  private Effect announce(Post post) {
    return new NotifySpecialFollowers(post, notifications.expiry(post));
  }

  /** Nobody is told of oneself. */
  private List<Notification> told(Post post) {
    return post.mentions().stream()
        .filter(mention -> !mention.userId().equals(post.authorId()))
        .map(mention -> notifications.of(post, mention))
        .toList();
  }

  /** What the marks call the event of a stream record at which posts are counted. */
  static Optional<String> postEvent(String eventName) {
    return switch (eventName) {
      case "INSERT" -> Optional.of(CREATED);
      case "REMOVE" -> Optional.of(DELETED);
      default -> Optional.empty();
    };
  }

  private static Effect countPost(Post post, String event, long delta) {
    return new CountOnce(
        Post.key(post.postId()).partition() + "#" + event,
        User.key(post.authorId()),
        User.POSTS_COUNT,
        delta);
  }

  private static List<Effect> flip(User before, User after) {
    return before.isCelebrity() == after.isCelebrity()
        ? List.of()
        : List.of(
            new Flip(
                after.userId(),
                after.isCelebrity(),
                after.followersCount(),
                after.celebrityVersion()));
  }

  /** Of what a backfill notes on its edge only that it had been begun before. */
  private static List<Effect> retried(Follow before, Follow after) {
    return Objects.equals(before.feedRetriedAt(), after.feedRetriedAt())
        ? List.of()
        : List.of(new ReconcileFeed(after.followerId(), Optional.of(after.followeeId())));
  }

  /** What a rebuild notes in the end is no reason for another, but for a look at what it wrote. */
  private static List<Effect> awoken(FeedActivity before, FeedActivity after) {
    if (Objects.equals(before.storedSince(), after.storedSince())) {
      return List.of();
    }
    return after.rebuildFrom() == null
        ? List.of(new ReconcileFeed(after.userId(), Optional.empty()))
        : rebuild(after);
  }

  private static List<Effect> rebuild(FeedActivity activity) {
    return activity.rebuildFrom() == null ? List.of() : List.of(new Rebuild(activity));
  }

  private static List<Effect> erase(Erasure erasure) {
    return erasure.step().isUnderWay()
        ? List.of(new Erase(erasure.hash(), erasure.revision()))
        : List.of();
  }

  private static Effect copy(FollowQuota quota) {
    return new CopyFollowing(quota.userId(), quota.following(), quota.version());
  }

  private static List<Effect> with(Effect first, Optional<? extends Effect> second) {
    return second.<List<Effect>>map(effect -> List.of(first, effect)).orElse(List.of(first));
  }
}
