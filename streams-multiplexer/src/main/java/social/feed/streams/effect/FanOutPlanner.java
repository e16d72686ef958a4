package social.feed.streams.effect;

import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.table.graph.FollowEdges;
import social.feed.table.home.FanOuts;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Post;

/**
 * Cuts a large audience into chunks, in the order of the followers' ids. After an interruption it
 * goes on behind the last chunk. One read unit for each 4 KB of follow edges, and one write unit a
 * chunk.
 */
final class FanOutPlanner {
  private final FollowEdges follows;
  private final FanOuts fanOuts;
  private final int chunk;
  private final Clock clock;

  /**
   * @param chunk followers in a chunk
   */
  FanOutPlanner(FollowEdges follows, FanOuts fanOuts, int chunk, Clock clock) {
    this.follows = follows;
    this.fanOuts = fanOuts;
    this.chunk = chunk;
    this.clock = clock;
  }

  /** The epoch second until which a plan of this time is kept. */
  long expiry(Instant now) {
    return now.plus(Retention.FAN_OUT_PLANS).getEpochSecond();
  }

  void plan(Post post) {
    var now = Timestamps.now(clock);
    var plan = fanOuts.begin(FanOutPlan.begun(post.postId(), now, expiry(now)));
    if (plan.plannedAt() == null) {
      long chunks = cut(post, plan.expiresAt());
      fanOuts.complete(plan.planned(chunks, Timestamps.now(clock)));
    }
  }

  /** Returns the number of chunks in the end. */
  private long cut(Post post, long expiresAt) {
    var before = fanOuts.lastChunk(post.postId());
    long number = before.map(last -> last.number() + 1).orElse(0L);
    @Nullable String after = before.map(FanOutChunk::last).orElse(null);
    while (true) {
      var page = follows.reachAfter(post.authorId(), after, chunk);
      if (page.isEmpty()) {
        return number;
      }
      var added =
          fanOuts.add(
              FanOutChunk.of(
                  post,
                  number,
                  page.getFirst().followerId(),
                  page.getLast().followerId(),
                  page.size(),
                  expiresAt));
      // A concurrent attempt may have added this chunk before, with another last follower.
      after = added.last();
      number++;
    }
  }
}
