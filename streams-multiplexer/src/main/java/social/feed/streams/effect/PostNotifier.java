package social.feed.streams.effect;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.table.graph.Audience;
import social.feed.table.graph.AudienceMember;
import social.feed.table.graph.FollowEdges;
import social.feed.table.notification.PostNotifications;
import social.feed.table.post.PostCleanUps.Part;
import social.feed.table.post.Posts;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.Visibility;

/**
 * Notifies the special followers of an author of a post, and retracts notifications of followers
 * who may no longer see the post, some hundred at a time. The rest comes back through the stream:
 * {@link ContinueCleanUpHandler}. It reads the rows of special followers only, so the cost depends
 * on their number, whether the post is pushed or pulled and however many other followers there are.
 */
public final class PostNotifier {
  /** Notifies the special followers of a post's author who may see the post now, and no others. */
  public record NotifySpecialFollowers(Post post, long expiresAt) implements Effect {}

  /** The same for a chunk of the special followers, which an earlier version has cut. */
  public record NotifySpecialFollowersChunk(PostNotificationChunk chunk) implements Effect {}

  /**
   * What is left of a post.
   *
   * @param announced of its special followers
   * @param narrowed of its recipients, where not all may see it
   */
  private record Parts(Part announced, Part narrowed) {
    boolean hadRows() {
      return announced.hadRows() || narrowed.hadRows();
    }
  }

  private final Posts stored;
  private final PostReconciler posts;
  private final FollowEdges follows;
  private final PostNotifications notifications;
  private final NotificationFilter filter;
  private final PostCleaner cleaner;
  private final int chunk;
  private final int part;
  private final int atOnce;

  PostNotifier(EffectContext context) {
    this.stored = context.posts;
    this.posts = context.postReconciler;
    this.follows = context.follows;
    this.notifications = context.postNotifications;
    this.filter = context.filter;
    this.cleaner = context.cleaner;
    this.chunk = context.sizes.chunk();
    this.part = context.sizes.removed();
    this.atOnce = context.sizes.notificationsAtOnce();
  }

  /** The handler of posts. */
  public static EffectHandler<NotifySpecialFollowers> ofPosts(EffectContext context) {
    var notifier = new PostNotifier(context);
    return effects ->
        effects.forEach(effect -> notifier.notifyAll(effect.post(), effect.expiresAt()));
  }

  /** The handler of chunks. */
  public static EffectHandler<NotifySpecialFollowersChunk> ofChunks(EffectContext context) {
    var notifier = new PostNotifier(context);
    return effects -> effects.forEach(effect -> notifier.notifyChunk(effect.chunk()));
  }

  /**
   * Notifies the first of them, and orders the next part. Two read units a post. For recipients one
   * more read unit, and two read and three write units each. Retracts notifications of a post that
   * not all may see, at two write units each and for a post for followers a read unit for each
   * earlier recipient, and orders the next part of that as well.
   */
  private void notifyAll(Post recorded, long expiresAt) {
    var parts =
        reflect(
            recorded.postId(),
            shown ->
                new Parts(
                    shown.map(post -> notifyFirst(post, expiresAt)).orElse(Part.NONE),
                    retractFirst(shown, recorded.postId())),
            Parts::hadRows);
    cleaner.order(recorded, Cause.ANNOUNCED, parts.announced());
    cleaner.order(recorded, Cause.NARROWED, parts.narrowed());
  }

  /** Notifies the followers of a chunk. */
  private void notifyChunk(PostNotificationChunk range) {
    var unused = reflect(range.postId(), shown -> notifyRange(shown, range), Boolean::booleanValue);
  }

  /**
   * Notifies the next special followers. Three read units and those of the part; of a post that is
   * gone four, and two write units for each notification behind the position. A post with a change
   * whose effect is to come is left to that effect. Of a post that is deleted or hidden, the effect
   * of that may be over, and an attempt at this part that was cut off may have written afterwards:
   * its notifications are retracted.
   *
   * @param live how long a notification is kept
   */
  Part notifyNext(PostCleanUp order, Duration live) {
    var post = stored.get(order.postId()).filter(it -> it.visibility() != Visibility.PRIVATE);
    if (post.isEmpty()) {
      return retractNext(order);
    }
    if (post.get().awaitsReflection()) {
      return Part.NONE;
    }
    var page = specialFollowers(post.get(), PostNotification.readerAt(order.position()));
    if (page.isEmpty()) {
      return Part.NONE;
    }
    var range =
        new PostNotificationChunk(
            order.postId(),
            0,
            page.getFirst().followerId(),
            page.getLast().followerId(),
            post.get().createdAt().plus(live).getEpochSecond());
    notifyChunk(range);
    return announced(order.postId(), page);
  }

  /**
   * Retracts the next notifications from accounts that may not see the post now. Three read units
   * and those of the part. A post with a change whose effect is to come is left to that effect,
   * which begins at the front. One that is shown again during the part, and whose effect has begun,
   * may have notified before the retraction: the followers of the part are then notified again.
   */
  Part retractNext(PostCleanUp order) {
    var id = order.postId();
    if (stored.get(id).filter(Post::awaitsReflection).isPresent()) {
      return Part.NONE;
    }
    var page = notifications.after(id, order.position(), part);
    if (page.isEmpty()) {
      return Part.NONE;
    }
    var isFirst = new AtomicBoolean(true);
    return reflect(
        id,
        shown ->
            retracted(
                shown,
                page,
                isFirst.getAndSet(false)
                    ? retractFrom(shown, page)
                    : notifyRange(shown, range(page))),
        Part::hadRows);
  }

  /** Looks at the post again only when something was written: most posts notify no one. */
  private <R> R reflect(String postId, Function<Optional<Post>, R> write, Predicate<R> wrote) {
    return posts.reflect(postId, Post::visibility, write, wrote);
  }

  private Part notifyFirst(Post post, long expiresAt) {
    var page = specialFollowers(post, null);
    notify(post, page, expiresAt);
    return announced(post.postId(), page);
  }

  private List<AudienceMember> specialFollowers(Post post, @Nullable String after) {
    return follows.reachAfter(Audience.SPECIAL_FOLLOWERS, post.authorId(), after, chunk);
  }

  /** Returns the part of a page of special followers, which is the last one unless it is full. */
  private Part announced(String postId, List<AudienceMember> page) {
    return new Part(
        !page.isEmpty(),
        page.size() < chunk
            ? Optional.empty()
            : Optional.of(PostNotification.key(postId, page.getLast().followerId())));
  }

  /** Notifies those of a range who may see the post, and retracts from the others. */
  private boolean notifyRange(Optional<Post> shown, PostNotificationChunk range) {
    shown.ifPresent(
        post ->
            notify(
                post,
                follows.reach(
                    Audience.SPECIAL_FOLLOWERS, post.authorId(), range.first(), range.last()),
                range.expiresAt()));
    // An attempt that was cut off may have written more than this one.
    boolean isRetracted =
        !isPublic(shown)
            && retractFrom(shown, notifications.of(range.postId(), range.first(), range.last()));
    return shown.isPresent() || isRetracted;
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
            .toList(),
        atOnce);
  }

  private static PostNotification notification(Post post, AudienceMember follower, long expiresAt) {
    return new PostNotification(
        post.postId(), follower.followerId(), post.authorId(), post.createdAt(), expiresAt);
  }

  private Part retractFirst(Optional<Post> shown, String postId) {
    if (isPublic(shown)) {
      return Part.NONE;
    }
    var page = notifications.after(postId, null, part);
    return retracted(shown, page, retractFrom(shown, page));
  }

  /**
   * Returns the part of a page. It is the last one of a public post, or if the page is not full.
   */
  private Part retracted(Optional<Post> shown, List<PostNotification> page, boolean hadRows) {
    boolean isLast = isPublic(shown) || page.size() < part;
    return new Part(hadRows, isLast ? Optional.empty() : Optional.of(page.getLast().key()));
  }

  /**
   * Retracts the notifications of a post from all recipients where no other may see it, and from
   * those who do not follow where it is for followers. Returns whether there was any.
   */
  private boolean retractFrom(Optional<Post> shown, List<PostNotification> written) {
    if (isPublic(shown)) {
      return false;
    }
    var followers =
        shown.isPresent()
            ? follows.there(written.stream().map(PostNotifier::edge).toList())
            : Set.<Key>of();
    return notifications.retract(
        written.stream().filter(one -> !followers.contains(edge(one))).toList());
  }

  private static boolean isPublic(Optional<Post> shown) {
    return shown.filter(post -> post.visibility() == Visibility.PUBLIC).isPresent();
  }

  /** The followers from the first to the last of a page, as a chunk of an audience. */
  private static PostNotificationChunk range(List<PostNotification> page) {
    var first = page.getFirst();
    return new PostNotificationChunk(
        first.postId(), 0, first.readerId(), page.getLast().readerId(), first.expiresAt());
  }

  private static Key edge(PostNotification written) {
    return Follow.key(written.readerId(), written.authorId());
  }
}
