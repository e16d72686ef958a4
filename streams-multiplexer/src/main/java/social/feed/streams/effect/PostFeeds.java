package social.feed.streams.effect;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import social.feed.streams.effect.FeedDelivery.Checked;
import social.feed.table.graph.FollowEdges;
import social.feed.table.home.FanOuts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Puts posts into the feeds of their authors' followers. Small audiences of several posts are
 * served together, so that they fill whole batches. A larger audience is cut into chunks, whose
 * inserts come back through the stream. Two write units a feed and one for the plan.
 */
final class PostFeeds {
  private static final int MAX_ATTEMPTS = 8;

  private final Posts posts;
  private final FollowEdges follows;
  private final HomeFeeds feeds;
  private final FanOuts fanOuts;
  private final FanOutPlanner planner;
  private final FeedDelivery delivery;
  private final int chunk;
  private final Clock clock;

  /**
   * @param chunk the size from which on an audience is cut
   */
  PostFeeds(
      Posts posts,
      FollowEdges follows,
      HomeFeeds feeds,
      FanOuts fanOuts,
      FeedDelivery delivery,
      int chunk,
      Clock clock) {
    this.posts = posts;
    this.follows = follows;
    this.feeds = feeds;
    this.fanOuts = fanOuts;
    this.planner = new FanOutPlanner(follows, fanOuts, chunk, clock);
    this.delivery = delivery;
    this.chunk = chunk;
    this.clock = clock;
  }

  /**
   * Delivers the posts that are pushed, and plans those with large audiences.
   *
   * @param begun the ids of posts that an earlier attempt may have delivered
   */
  void push(Collection<Post> all, Set<String> begun) {
    var served = new ArrayList<FanOutPlan>();
    var now = Timestamps.now(clock);
    delivery.deliver(
        all.stream()
            .filter(post -> post.delivery() == FanOutMode.PUSH)
            .flatMap(post -> slice(post, checked(post, begun))),
        delivered ->
            served.add(
                FanOutPlan.served(
                    delivered.slice().post().postId(),
                    delivered.written(),
                    delivered.skipped(),
                    now,
                    planner.expiry(now))));
    fanOuts.served(served);
  }

  /** Notes that a post can never be delivered. */
  void fail(String postId) {
    var now = Timestamps.now(clock);
    fanOuts.fail(FanOutPlan.begun(postId, now, planner.expiry(now)).failed(now));
  }

  private static Checked checked(Post post, Set<String> begun) {
    return begun.contains(post.postId()) ? new Checked.All() : new Checked.Written();
  }

  /** Returns a small audience as a whole, and cuts a larger one. */
  private Stream<FeedDelivery.Slice> slice(Post post, Checked checked) {
    if (post.visibility() == Visibility.PRIVATE) {
      return Stream.of(new FeedDelivery.Slice(post, List.of(), checked));
    }
    var first = follows.reachAfter(post.authorId(), null, chunk);
    if (first.size() < chunk) {
      return Stream.of(new FeedDelivery.Slice(post, first, checked));
    }
    planner.plan(post);
    return Stream.empty();
  }

  /**
   * Removes delivered posts from feeds again if they were deleted or made private since. Posts that
   * are shown again after that are delivered again: an old record may come again concurrently with
   * the record of that change. One read unit a post, one more for a private post.
   *
   * @throws ThrottledException when a post changes with each attempt
   */
  void settle(Collection<Post> delivered) {
    var pending = delivered;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      var hidden = withdrawHidden(pending);
      if (hidden.isEmpty()) {
        return;
      }
      var shown =
          posts.getAll(hidden, true).values().stream()
              .filter(post -> post.visibility() != Visibility.PRIVATE)
              .toList();
      if (shown.isEmpty()) {
        return;
      }
      shown.forEach(post -> fanOuts.forget(post.postId()));
      push(shown, hidden);
      pending = shown;
    }
    throw new ThrottledException("Visibility of posts", pending.size(), MAX_ATTEMPTS);
  }

  /** Returns the ids of the private posts. */
  private Set<String> withdrawHidden(Collection<Post> delivered) {
    var hidden = new HashSet<String>();
    var present = posts.getAll(delivered.stream().map(Post::postId).toList(), true);
    for (var post : delivered) {
      var now = present.get(post.postId());
      if (now == null) {
        feeds.withdrawPost(post.postId(), post.feedShards());
      } else if (now.visibility() == Visibility.PRIVATE) {
        feeds.withdrawFromOtherReaders(now);
        hidden.add(now.postId());
      }
    }
    return hidden;
  }
}
