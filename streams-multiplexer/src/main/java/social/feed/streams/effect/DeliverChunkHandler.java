package social.feed.streams.effect;

import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.streams.Failures;
import social.feed.streams.effect.FeedDelivery.Look;
import social.feed.streams.plan.Effect.DeliverChunk;
import social.feed.table.graph.FollowEdges;
import social.feed.table.home.FanOuts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.Posts;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Works off parts of large deliveries, some at the same time. Two write units a feed and one a
 * part, whose memory is that of its followers.
 */
final class DeliverChunkHandler implements EffectHandler<DeliverChunk> {
  private static final int MAX_ATTEMPTS = 8;

  private final Posts posts;
  private final FollowEdges follows;
  private final HomeFeeds feeds;
  private final FanOuts fanOuts;
  private final FeedDelivery deliveries;
  private final int atOnce;
  private final Clock clock;

  /**
   * @param atOnce parts that are worked off at the same time
   */
  DeliverChunkHandler(
      Posts posts,
      FollowEdges follows,
      HomeFeeds feeds,
      FanOuts fanOuts,
      FeedDelivery deliveries,
      int atOnce,
      Clock clock) {
    this.posts = posts;
    this.follows = follows;
    this.feeds = feeds;
    this.fanOuts = fanOuts;
    this.deliveries = deliveries;
    this.atOnce = atOnce;
    this.clock = clock;
  }

  @Override
  public void apply(List<DeliverChunk> effects) {
    ParallelCalls.map(effects, atOnce, effect -> failure(effect.chunk())).stream()
        .flatMap(Optional::stream)
        .reduce(DeliverChunkHandler::worse)
        .ifPresent(
            failure -> {
              throw failure;
            });
  }

  /** Notes that a part can never be delivered as it is. */
  void buried(DeliverChunk effect) {
    fanOuts.end(effect.chunk(), ChunkOutcome.FAILED, 0, 0, Timestamps.now(clock));
  }

  private void deliver(FanOutChunk chunk) {
    long written = settled(chunk);
    long skipped = Math.max(0, chunk.followers() - written);
    fanOuts.end(chunk, ChunkOutcome.DELIVERED, written, skipped, Timestamps.now(clock));
  }

  /** By what the post is now, and again where that changed meanwhile. */
  private long settled(FanOutChunk chunk) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      var post = post(chunk);
      long written = post.map(shown -> deliver(shown, chunk)).orElseGet(() -> withdraw(chunk));
      if (post(chunk).isPresent() == post.isPresent()) {
        return written;
      }
    }
    throw new ThrottledException("Visibility of " + chunk.postId(), 1, MAX_ATTEMPTS);
  }

  private long deliver(Post post, FanOutChunk chunk) {
    var slice =
        new FeedDelivery.Slice(
            post,
            follows.reach(post.authorId(), chunk.first(), chunk.last()),
            new Look.Between(chunk.first(), chunk.last()));
    var written = new long[1];
    deliveries.deliver(Stream.of(slice), delivered -> written[0] = delivered.written());
    return written[0];
  }

  /**
   * Also what an earlier attempt wrote that was cut off; not the author's own of a private post.
   */
  private long withdraw(FanOutChunk chunk) {
    var holders =
        new HashSet<>(
            feeds.holders(chunk.postId(), chunk.feedShards(), chunk.first(), chunk.last()));
    posts.get(chunk.postId()).map(Post::authorId).ifPresent(holders::remove);
    feeds.withdraw(chunk.postId(), chunk.feedShards(), holders);
    return 0;
  }

  /** None when it was deleted or made private. */
  private Optional<Post> post(FanOutChunk chunk) {
    return posts.get(chunk.postId()).filter(post -> post.visibility() != Visibility.PRIVATE);
  }

  /** The others go on; what is no exception ends the invocation, and no record is to blame. */
  private Optional<RuntimeException> failure(FanOutChunk chunk) {
    try {
      deliver(chunk);
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  /** One that may pass hides others, which then come again with it. */
  private static RuntimeException worse(RuntimeException one, RuntimeException other) {
    return Failures.isRetryable(one) ? one : other;
  }
}
