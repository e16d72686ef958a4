package social.feed.streams.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.table.row.Comment;
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.Inbox;
import social.feed.table.row.Like;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/**
 * What a row adds to counters. A removal takes away what the row added, which the row alone says.
 *
 * @param halfLife the time in which a use of a tag loses half its weight
 */
record CountPlan(Duration halfLife) {
  /** The event of a post that is counted, as processed events name it, by its stream record. */
  static Optional<String> postEvent(String eventName) {
    return switch (eventName) {
      case "INSERT" -> Optional.of(ProcessedEvent.CREATED);
      case "REMOVE" -> Optional.of(ProcessedEvent.DELETED);
      default -> Optional.empty();
    };
  }

  static List<CountOnce> of(Post post, String event, long delta) {
    return List.of(
        new CountOnce(
            ProcessedEvent.nameOfPost(post.postId(), event),
            User.key(post.authorId()),
            User.POSTS_COUNT,
            delta));
  }

  /** Only a public post makes its tags trend. */
  List<Count> uses(Post post, long delta) {
    return post.visibility() == Visibility.PUBLIC
        ? post.tags().stream().map(tag -> use(tag, post, delta)).toList()
        : List.of();
  }

  private Count use(String tag, Post post, long delta) {
    return new Count(TagUses.key(halfLife, tag, post.createdAt()), TagUses.USES, delta);
  }

  /** Adds the uses that a shard brought to those of the tag. A moved checkpoint adds nothing. */
  static List<Count> gathered(TagUses uses, long delta) {
    return delta == 0 ? List.of() : List.of(new Count(uses.trend().key(), uses.hour(), delta));
  }

  List<Count> changedUses(Post before, Post after) {
    return Stream.concat(uses(before, -1).stream(), uses(after, 1).stream()).toList();
  }

  static List<Count> of(Like like, long delta) {
    return List.of(new Count(Post.key(like.postId()), Post.LIKES_COUNT, delta));
  }

  static List<Count> of(Comment comment, long delta) {
    return List.of(new Count(Post.key(comment.postId()), Post.COMMENTS_COUNT, delta));
  }

  /** The end of an edge is taken from the month in which the edge began, not the present one. */
  static List<Count> of(Follow edge, long delta) {
    var gained = TopAuthor.key(edge.createdAt(), edge.followeeId());
    return List.of(
        new Count(User.key(edge.followeeId()), User.FOLLOWERS_COUNT, delta),
        new Count(gained, TopAuthor.GAINED, delta));
  }

  static List<Count> unread(Notification notification, long delta) {
    return notification.isCountedUnread()
        ? List.of(new Count(Inbox.key(notification.userId()), Inbox.UNREAD, delta))
        : List.of();
  }

  /** A writer that takes the row from the number itself changes {@code counted} as well. */
  static List<Count> nowRead(Notification before, Notification after) {
    return before.isCountedUnread() && after.counted() != null ? unread(before, -1) : List.of();
  }

  static List<Count> pass(Fence fence) {
    return fence.effects() ? List.of() : List.of(new Count(fence.key(), Fence.PASSED, 1));
  }

  static List<CountOnce> passOnce(Fence fence) {
    return fence.effects()
        ? List.of(new CountOnce(fence.event(), fence.key(), Fence.PASSED, 1))
        : List.of();
  }
}
