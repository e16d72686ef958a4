package social.feed.streams.effect;

import java.time.Clock;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.PostCleanUps;
import social.feed.table.post.PostCleanUps.Part;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostCleanUp.Cause;

/**
 * Removes rows of posts in parts of some hundred. Where a part leaves any, it orders the next one:
 * the change of that row comes back through the stream, behind the records of others.
 */
final class PostCleaner {
  private final PostCleanUps cleanUps;
  private final int limit;
  private final Clock clock;

  /**
   * @param limit the most rows of a part
   */
  PostCleaner(PostCleanUps cleanUps, int limit, Clock clock) {
    this.cleanUps = cleanUps;
    this.limit = limit;
    this.clock = clock;
  }

  /** Removes all that refers to a deleted post. See {@link PostCleanUps#removeAll}. */
  void removeAll(Post deleted) {
    order(
        deleted,
        Cause.DELETED,
        cleanUps.removeAll(deleted.postId(), deleted.feedShards(), null, limit));
  }

  /** Removes a deleted post from feeds; where many are left, also all else that refers to it. */
  void removeFromFeeds(Post deleted) {
    order(
        deleted,
        Cause.DELETED,
        cleanUps.removeFromFeeds(deleted.postId(), deleted.feedShards(), limit));
  }

  /**
   * Removes the tag rows, likes and comments of a deleted post; where many are left, also all else
   * that refers to it.
   */
  void removeChildren(Post deleted) {
    var part = cleanUps.removeChildren(deleted.postId(), limit);
    // The order may replace one for feeds, which come before these rows.
    var begin = new Key(Keys.fanout(deleted.postId(), 0), Keys.FEEDS);
    order(deleted, Cause.DELETED, new Part(part.hadRows(), part.rest().map(_ -> begin)));
  }

  /**
   * Removes a private post from feeds of others, without an order for what is left.
   *
   * @param after where the part begins, absent for the first one
   */
  Part withdraw(Post hidden, @Nullable Key after) {
    return cleanUps.withdraw(hidden, after, limit);
  }

  /** Orders what a first part left. */
  void order(Post post, Cause cause, Part part) {
    part.rest()
        .ifPresent(
            rest ->
                cleanUps.order(
                    PostCleanUp.of(
                        post.postId(), post.feedShards(), cause, rest, Timestamps.now(clock))));
  }

  /** Removes the next part of what refers to a deleted post. */
  Part removeNext(PostCleanUp order) {
    return cleanUps.removeAll(order.postId(), order.feedShards(), order.position(), limit);
  }

  /** Orders what a further part left, or ends the order. */
  void follow(PostCleanUp order, Part done) {
    done.rest()
        .ifPresentOrElse(
            rest -> cleanUps.advance(order, rest, Timestamps.now(clock)),
            () -> cleanUps.end(order));
  }
}
