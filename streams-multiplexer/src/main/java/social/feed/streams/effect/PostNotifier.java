package social.feed.streams.effect;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import social.feed.table.graph.Audience;
import social.feed.table.graph.AudienceMember;
import social.feed.table.graph.FollowEdges;
import social.feed.table.notification.PostNotifications;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.Visibility;

/**
 * Notifies the special followers of an author of a post, and retracts notifications of followers
 * who may no longer see the post. It reads the rows of special followers only, so the cost depends
 * on their number, whether the post is pushed or pulled and however many other followers there are.
 */
public final class PostNotifier {
  /** Notifies the special followers of a post's author who may see the post now, and no others. */
  public record NotifySpecialFollowers(Post post, long expiresAt) implements Effect {}

  /** The same for a chunk of the special followers. */
  public record NotifySpecialFollowersChunk(PostNotificationChunk chunk) implements Effect {}

  private final PostReconciler posts;
  private final FollowEdges follows;
  private final PostNotifications notifications;
  private final NotificationFilter filter;
  private final int chunk;

  private PostNotifier(EffectContext context) {
    this.posts = context.postReconciler;
    this.follows = context.follows;
    this.notifications = context.postNotifications;
    this.filter = context.filter;
    this.chunk = context.sizes.chunk();
  }

  /** The handler of posts. */
  public static EffectHandler<NotifySpecialFollowers> ofPosts(EffectContext context) {
    var notifier = new PostNotifier(context);
    return effects ->
        effects.forEach(effect -> notifier.notifyAll(effect.post().postId(), effect.expiresAt()));
  }

  /** The handler of chunks, for authors with many special followers. */
  public static EffectHandler<NotifySpecialFollowersChunk> ofChunks(EffectContext context) {
    var notifier = new PostNotifier(context);
    return effects -> effects.forEach(effect -> notifier.notifyChunk(effect.chunk()));
  }

  /**
   * Notifies all of them. Two read units a post. For recipients one more read unit, and two read
   * and three write units each; for a post for followers a read unit for each earlier recipient.
   */
  private void notifyAll(String postId, long expiresAt) {
    reflect(postId, post -> notifyAll(post, expiresAt), () -> notifications.retractAll(postId));
  }

  /** Notifies the followers of a chunk. */
  private void notifyChunk(PostNotificationChunk range) {
    reflect(
        range.postId(),
        post -> notifyRange(post, range),
        () -> notifications.retract(written(range)));
  }

  private List<PostNotification> written(PostNotificationChunk range) {
    return notifications.of(range.postId(), range.first(), range.last());
  }

  /** Looks at the post again only when something was written: most posts notify no one. */
  private void reflect(String postId, Function<Post, Boolean> notify, Supplier<Boolean> retract) {
    var unused =
        posts.reflect(
            postId,
            Post::visibility,
            shown -> shown.map(notify).orElseGet(retract),
            Boolean::booleanValue);
  }

  private boolean notifyAll(Post post, long expiresAt) {
    var first = follows.reachAfter(Audience.SPECIAL_FOLLOWERS, post.authorId(), null, chunk);
    if (first.size() < chunk) {
      notify(post, first, expiresAt);
    } else {
      notifications.deleteChunks(post.postId());
      cut(post, first, expiresAt);
    }
    if (post.visibility() == Visibility.FOLLOWERS) {
      notifications.of(post.postId()).forEach(this::retractFromNonFollowers);
    }
    return !first.isEmpty();
  }

  private boolean notifyRange(Post post, PostNotificationChunk range) {
    notify(
        post,
        follows.reach(Audience.SPECIAL_FOLLOWERS, post.authorId(), range.first(), range.last()),
        range.expiresAt());
    if (post.visibility() == Visibility.FOLLOWERS) {
      retractFromNonFollowers(written(range));
    }
    return true;
  }

  private void notify(Post post, List<AudienceMember> followers, long expiresAt) {
    var allowed =
        filter.allowed(
            followers.stream()
                .filter(follower -> FeedDelivery.isEligible(post.createdAt(), follower.since()))
                .map(follower -> notification(post, follower, expiresAt).notification())
                .toList());
    var readers = allowed.stream().map(Notification::userId).collect(Collectors.toSet());
    notifications.notify(
        followers.stream()
            .filter(follower -> readers.contains(follower.followerId()))
            .map(follower -> notification(post, follower, expiresAt))
            .toList());
  }

  private static PostNotification notification(Post post, AudienceMember follower, long expiresAt) {
    return new PostNotification(
        post.postId(), follower.followerId(), post.authorId(), post.createdAt(), expiresAt);
  }

  /**
   * Chunks are idempotent: they may be cut again, at other places, when this effect comes again.
   */
  private void cut(Post post, List<AudienceMember> first, long expiresAt) {
    var page = first;
    for (long number = 0; !page.isEmpty(); number++) {
      var last = page.getLast().followerId();
      notifications.add(
          new PostNotificationChunk(
              post.postId(), number, page.getFirst().followerId(), last, expiresAt));
      page = follows.reachAfter(Audience.SPECIAL_FOLLOWERS, post.authorId(), last, chunk);
    }
  }

  /**
   * Retracts the notifications of recipients who no longer follow, since they may not see a post
   * for followers. It checks all rows in the table, since an attempt that was cut off may have
   * written more than this one.
   */
  private void retractFromNonFollowers(Collection<PostNotification> written) {
    var edges = follows.there(written.stream().map(PostNotifier::edge).toList());
    notifications.retract(written.stream().filter(one -> !edges.contains(edge(one))).toList());
  }

  private static Key edge(PostNotification written) {
    return Follow.key(written.readerId(), written.authorId());
  }
}
