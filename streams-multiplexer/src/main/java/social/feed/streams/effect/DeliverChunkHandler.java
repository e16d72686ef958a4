package social.feed.streams.effect;

import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.streams.Failures;
import social.feed.streams.effect.FeedDelivery.Checked;
import social.feed.table.graph.Audience;
import social.feed.table.graph.FollowEdges;
import social.feed.table.home.FanOuts;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.Posts;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.Post;

/**
 * Delivers chunks of large fan-outs, some concurrently. Costs two write units a feed and two a
 * chunk. Holds the followers of the chunks in memory.
 *
 * <p>Each attempt checks entries after it has written, as {@link FanOutHandler} does. The first
 * attempt of a chunk checks those that it wrote. A later one checks all entries of the chunk's
 * range, for one more read unit for each 4 KB of them.
 */
public final class DeliverChunkHandler implements EffectHandler<DeliverChunkHandler.DeliverChunk> {
  /** Puts a post into the feeds of a chunk of the followers. */
  public record DeliverChunk(FanOutChunk chunk) implements Effect {}

  private final Posts posts;
  private final PostReconciler reconciler;
  private final FollowEdges follows;
  private final HomeFeeds feeds;
  private final FanOuts fanOuts;
  private final FeedDelivery delivery;
  private final int atOnce;
  private final Clock clock;

  public DeliverChunkHandler(EffectContext context) {
    this.posts = context.posts;
    this.reconciler = context.postReconciler;
    this.follows = context.follows;
    this.feeds = context.feeds;
    this.fanOuts = context.fanOuts;
    this.delivery = context.delivery;
    this.atOnce = context.sizes.chunksAtOnce();
    this.clock = context.clock;
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

  /** Notes that a chunk can never be delivered. */
  @Override
  public void deadLettered(DeliverChunk effect) {
    fanOuts.end(effect.chunk(), ChunkOutcome.FAILED, 0, 0, Timestamps.now(clock));
  }

  /** Reflects the post as it is now. It stays in feeds when it becomes a post for followers. */
  private void deliver(FanOutChunk chunk) {
    // Before the post is read, so that a chunk that a change of the post has added again is found.
    boolean isFirst = fanOuts.beginFirst(chunk);
    long written =
        reconciler.reflect(
            chunk.postId(),
            _ -> true,
            shown ->
                shown.map(post -> deliver(post, chunk, isFirst)).orElseGet(() -> withdraw(chunk)),
            _ -> true);
    long skipped = Math.max(0, chunk.followers() - written);
    fanOuts.end(chunk, ChunkOutcome.DELIVERED, written, skipped, Timestamps.now(clock));
  }

  private long deliver(Post post, FanOutChunk chunk, boolean isFirst) {
    var slice =
        new FeedDelivery.Slice(
            post,
            follows.reach(Audience.FOLLOWERS, post.authorId(), chunk.first(), chunk.last()),
            checked(post, chunk, isFirst));
    return delivery.deliver(Stream.of(slice)).getFirst().written();
  }

  /**
   * The followers of a post that was hidden and shown again are cut again. An attempt at the
   * earlier chunk of that number may find the new one untried.
   */
  private static Checked checked(Post post, FanOutChunk chunk, boolean isFirst) {
    return isFirst && post.visibilityVersion() == null
        ? new Checked.Written()
        : new Checked.Between(chunk.first(), chunk.last());
  }

  /**
   * Removes entries of this chunk, including those of an earlier attempt that was cut off. Keeps
   * the author's own entry of a private post.
   */
  private long withdraw(FanOutChunk chunk) {
    var holders =
        new HashSet<>(
            feeds.holders(chunk.postId(), chunk.feedShards(), chunk.first(), chunk.last()));
    posts.get(chunk.postId()).map(Post::authorId).ifPresent(holders::remove);
    feeds.withdraw(chunk.postId(), chunk.feedShards(), holders);
    return 0;
  }

  /** The other chunks go on. An error, as opposed to an exception, ends the invocation. */
  private Optional<RuntimeException> failure(FanOutChunk chunk) {
    try {
      deliver(chunk);
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  /** Prefers a retryable failure; the other chunks then come again with it. */
  private static RuntimeException worse(RuntimeException one, RuntimeException other) {
    return Failures.isRetryable(one) ? one : other;
  }
}
