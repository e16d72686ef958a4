package social.feed.streams.effect;

import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.streams.effect.FeedDelivery.Checked;
import social.feed.table.graph.Audience;
import social.feed.table.graph.AudienceMember;
import social.feed.table.graph.FollowEdges;
import social.feed.table.home.FanOuts;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.Posts;
import social.feed.table.post.RecentDeliveries;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.Visibility;

/**
 * Puts posts into the feeds of their authors' followers. Small audiences of several posts are
 * served together, so that they fill whole batches. A larger audience is cut into chunks, in the
 * order of the followers' ids, whose inserts come back through the stream. One read unit for each 4
 * KB of follow edges, two write units a feed, one a chunk, one for the plan and one for the note of
 * the delivery.
 */
final class PostFeeds {
  private final Posts posts;
  private final RecentDeliveries deliveries;
  private final FollowEdges follows;
  private final PostCleaner cleaner;
  private final FanOuts fanOuts;
  private final FeedDelivery delivery;
  private final int chunk;
  private final Clock clock;

  /**
   * @param chunk followers in a chunk; the size from which on an audience is cut
   */
  PostFeeds(
      Posts posts,
      RecentDeliveries deliveries,
      FollowEdges follows,
      PostCleaner cleaner,
      FanOuts fanOuts,
      FeedDelivery delivery,
      int chunk,
      Clock clock) {
    this.posts = posts;
    this.deliveries = deliveries;
    this.follows = follows;
    this.cleaner = cleaner;
    this.fanOuts = fanOuts;
    this.delivery = delivery;
    this.chunk = chunk;
    this.clock = clock;
  }

  /**
   * Delivers the posts that are pushed, and plans those with large audiences. No post that is so
   * old that TTL may delete its entries: feeds read it from its author.
   *
   * @param begun the ids of posts that an earlier attempt may have delivered
   * @return the ids of the posts that are in feeds now, or will be
   */
  Set<String> push(Collection<Post> shown, Set<String> begun) {
    var now = Timestamps.now(clock);
    var expired = FeedEntry.expired(now);
    var all = shown.stream().filter(post -> !post.createdAt().isBefore(expired)).toList();
    deliveries.begin(all);
    var slices =
        all.stream()
            .filter(post -> post.delivery() == FanOutMode.PUSH)
            .flatMap(post -> slice(post, checked(post, begun)));
    var delivered = delivery.deliver(slices);
    fanOuts.served(
        delivered.stream()
            .map(
                done ->
                    FanOutPlan.served(
                        done.post().postId(), done.written(), done.skipped(), now, expiry(now)))
            .toList());
    var inFeeds = all.stream().map(Post::postId).collect(Collectors.toSet());
    delivered.stream()
        .filter(done -> done.written() == 0)
        .map(done -> done.post().postId())
        .forEach(inFeeds::remove);
    return inFeeds;
  }

  /** Notes that a post can never be delivered. */
  void fail(String postId) {
    var now = Timestamps.now(clock);
    fanOuts.fail(begun(postId, now).failed(now));
  }

  /** Returns a plan with a random id. Eight characters suffice for the few plans of a post. */
  private static FanOutPlan begun(String postId, Instant now) {
    var planId = UUID.randomUUID().toString().substring(0, 8);
    return FanOutPlan.begun(postId, planId, now, expiry(now));
  }

  /** The epoch second until which a plan of this time is kept. */
  private static long expiry(Instant now) {
    return now.plus(Retention.FAN_OUT_PLANS).getEpochSecond();
  }

  private static Checked checked(Post post, Set<String> begun) {
    return begun.contains(post.postId()) ? new Checked.All() : new Checked.Written();
  }

  /** Returns a small audience as a whole, and cuts a larger one. */
  private Stream<FeedDelivery.Slice> slice(Post post, Checked checked) {
    if (post.visibility() == Visibility.PRIVATE) {
      return Stream.of(new FeedDelivery.Slice(post, List.of(), checked));
    }
    var first = page(post, null);
    if (first.size() < chunk) {
      return Stream.of(new FeedDelivery.Slice(post, first, checked));
    }
    plan(new FeedDelivery.Slice(post, first, checked));
    return Stream.empty();
  }

  private List<AudienceMember> page(Post post, @Nullable String after) {
    return follows.reachAfter(Audience.FOLLOWERS, post.authorId(), after, chunk);
  }

  /** Cuts an audience into chunks, unless that is noted as done. */
  private void plan(FeedDelivery.Slice first) {
    var now = Timestamps.now(clock);
    var plan = fanOuts.begin(begun(first.post().postId(), now));
    if (plan.plannedAt() == null) {
      long chunks = cut(first, plan);
      fanOuts.complete(plan.planned(chunks, Timestamps.now(clock)));
    }
  }

  /**
   * Begins with the first follower, and goes on behind the last chunk of the plan after an
   * interruption. Chunks of another plan only take numbers: that plan was forgotten, and its
   * planner goes on, as in a redrive next to a change of the post. Returns the number of chunks,
   * with those of others.
   */
  private long cut(FeedDelivery.Slice first, FanOutPlan plan) {
    var post = first.post();
    var newest = fanOuts.lastChunk(post.postId());
    long number = newest.map(chunk -> chunk.number() + 1).orElse(0L);
    var page =
        newest
            .flatMap(chunk -> chunk.isOf(plan) ? newest : fanOuts.lastChunk(plan))
            .map(last -> page(post, last.last()))
            .orElseGet(first::followers);
    while (!page.isEmpty()) {
      var next =
          FanOutChunk.of(
              plan,
              post,
              number,
              page.getFirst().followerId(),
              page.getLast().followerId(),
              page.size());
      // An earlier attempt may have served the audience while it was small.
      boolean isFirst = first.checked() instanceof Checked.Written;
      var added = fanOuts.add(isFirst ? next.asUntried() : next);
      // A concurrent attempt may have added this chunk before, with another last follower, or with
      // other followers: then those of this page come into the next chunk.
      if (added.isOf(plan) && added.reaches(page.getFirst().followerId())) {
        page = page(post, added.last());
      }
      number++;
    }
    return number;
  }

  /**
   * Removes delivered posts from feeds again if they were deleted or made private since. Posts that
   * are shown again after that are delivered again: an old record may come again concurrently with
   * the record of that change. A post with such a record to come is left to it. One read unit a
   * post, one more for a private post.
   *
   * @throws ThrottledException when a post changes with each attempt
   */
  void settle(Collection<Post> delivered) {
    Settle.all("Visibility of posts", delivered, this::withdrawHiddenThenPush);
  }

  /** Returns the posts that are shown again after they were withdrawn. */
  private Collection<Post> withdrawHiddenThenPush(Collection<Post> delivered) {
    var hidden = withdrawHidden(delivered);
    var shown =
        posts.getAll(hidden, true).values().stream()
            .filter(post -> post.visibility() != Visibility.PRIVATE)
            .toList();
    shown.forEach(post -> fanOuts.forget(post.postId()));
    if (!shown.isEmpty()) {
      push(shown, hidden);
    }
    return shown;
  }

  /** Returns the ids of the private posts. */
  private Set<String> withdrawHidden(Collection<Post> delivered) {
    var hidden = new HashSet<String>();
    var present = posts.getAll(delivered.stream().map(Post::postId).toList(), true);
    for (var post : delivered) {
      var now = present.get(post.postId());
      if (now == null) {
        cleaner.removeFromFeeds(post);
      } else if (now.visibility() == Visibility.PRIVATE && !now.awaitsReflectionSince(post)) {
        cleaner.order(now, Cause.HIDDEN, cleaner.withdraw(now, null));
        hidden.add(now.postId());
      }
    }
    return hidden;
  }
}
