package social.feed.streams.effect;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.SpecialFollows;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.notification.PostNotifications;
import social.feed.table.post.Posts;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.Visibility;

/**
 * Tells those who follow an author specially of a post, and takes it back from whom it may not be
 * told any more. It reads the rows of those followers only, so what it costs is theirs, whether the
 * post is pushed or pulled and however many others follow.
 */
final class PostNotifier {
  private static final int MAX_ATTEMPTS = 8;

  private final Posts posts;
  private final SpecialFollows specials;
  private final FollowEdges follows;
  private final PostNotifications announcements;
  private final NotificationFilter listeners;
  private final int part;

  /**
   * @param part how many are told at once; more are cut into parts of so many
   */
  PostNotifier(
      Posts posts,
      SpecialFollows specials,
      FollowEdges follows,
      PostNotifications announcements,
      NotificationFilter listeners,
      int part) {
    this.posts = posts;
    this.specials = specials;
    this.follows = follows;
    this.announcements = announcements;
    this.listeners = listeners;
    this.part = part;
  }

  /**
   * Tells all of them. Two read units a post. For those who are told one read unit more, and two
   * read and three write units each; of a post for followers a read unit for each who was ever
   * told.
   */
  void announce(String postId, long expiresAt) {
    settle(
        postId,
        shown ->
            shown.isPresent() ? tellAll(shown.get(), expiresAt) : announcements.retractAll(postId));
  }

  /** Tells those of a part. */
  void announce(PostNotificationChunk some) {
    settle(
        some.postId(),
        shown -> shown.isPresent() ? tell(shown.get(), some) : announcements.retract(told(some)));
  }

  private List<PostNotification> told(PostNotificationChunk some) {
    return announcements.of(some.postId(), some.first(), some.last());
  }

  /**
   * Does what is right for a post as it is, and looks again, strongly consistent: a change or a
   * delete that came before is seen then, and one that comes later finds what was told.
   *
   * @param reflect is given the post while it may be told, and says whether it wrote something
   */
  private void settle(String postId, Predicate<Optional<Post>> reflect) {
    var before = shown(postId);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (!reflect.test(before)) {
        return;
      }
      var now = shown(postId);
      if (now.map(Post::visibility).equals(before.map(Post::visibility))) {
        return;
      }
      before = now;
    }
    throw new ThrottledException("Visibility of " + postId, 1, MAX_ATTEMPTS);
  }

  /** None when it was deleted or made private. */
  private Optional<Post> shown(String postId) {
    return posts.get(postId).filter(post -> post.visibility() != Visibility.PRIVATE);
  }

  private boolean tellAll(Post post, long expiresAt) {
    var first = specials.after(post.authorId(), null, part);
    if (first.size() < part) {
      tell(post, first, expiresAt);
    } else {
      announcements.forgetParts(post.postId());
      cut(post, first, expiresAt);
    }
    if (post.visibility() == Visibility.FOLLOWERS) {
      announcements.of(post.postId()).forEach(this::retractFromStrangers);
    }
    return !first.isEmpty();
  }

  private boolean tell(Post post, PostNotificationChunk some) {
    tell(post, specials.between(post.authorId(), some.first(), some.last()), some.expiresAt());
    if (post.visibility() == Visibility.FOLLOWERS) {
      retractFromStrangers(told(some));
    }
    return true;
  }

  private void tell(Post post, List<SpecialFollower> followers, long expiresAt) {
    var wanted =
        listeners.wanted(
            followers.stream()
                .filter(follower -> isOwed(post, follower))
                .map(follower -> announcement(post, follower, expiresAt).notification())
                .toList());
    var readers = wanted.stream().map(Notification::userId).collect(Collectors.toSet());
    announcements.tell(
        followers.stream()
            .filter(follower -> readers.contains(follower.followerId()))
            .map(follower -> announcement(post, follower, expiresAt))
            .toList());
  }

  /** Nobody is told of earlier posts. */
  private static boolean isOwed(Post post, SpecialFollower follower) {
    return !post.createdAt().isBefore(follower.createdAt().minus(Timestamps.CLOCKS_DIFFER));
  }

  private static PostNotification announcement(
      Post post, SpecialFollower follower, long expiresAt) {
    return new PostNotification(
        post.postId(), follower.followerId(), post.authorId(), post.createdAt(), expiresAt);
  }

  /** The parts are idempotent: they may be cut anew, and otherwise, when this comes again. */
  private void cut(Post post, List<SpecialFollower> first, long expiresAt) {
    var page = first;
    for (long number = 0; !page.isEmpty(); number++) {
      var last = page.getLast().followerId();
      announcements.add(
          List.of(
              new PostNotificationChunk(
                  post.postId(), number, page.getFirst().followerId(), last, expiresAt)));
      page = specials.after(post.authorId(), last, part);
    }
  }

  /**
   * Whoever was told and does not follow any more is not to know of a post for followers. Of what
   * is there, not of what was written now: an attempt that was cut off may have written more.
   */
  private void retractFromStrangers(Collection<PostNotification> told) {
    var edges = follows.there(told.stream().map(PostNotifier::edge).toList());
    announcements.retract(told.stream().filter(one -> !edges.contains(edge(one))).toList());
  }

  private static Key edge(PostNotification told) {
    return Follow.key(told.readerId(), told.authorId());
  }
}
