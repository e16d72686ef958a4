package social.feed.table.erasure;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.media.MediaRemovals;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowOpening;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PullRevision;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RecentDelivery;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.Suspect;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.row.WaitingErasure;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookRegistry;

/**
 * Removes an account from the rows that name it, as the kind of each row requires. Rows that count
 * for other accounts are deleted by their own stores, so that the stream takes them from those
 * counts, once. Every method is idempotent. A new kind of row does not compile here until its
 * erasure is decided.
 */
public final class Eraser {
  /** Replaces an id that bounds a chunk of an audience; no id has a dot. */
  private static final String NO_ONE = ".";

  private final Table table;
  private final Clock clock;
  private final ConditionalWrites writes;
  private final FollowEdges edges;
  private final FollowWriter follows;
  private final SpecialFollowWriter specials;
  private final BlockWriter blocks;
  private final MediaRemovals removals;
  private final Concurrency concurrency;

  /**
   * @param concurrency how rows are removed that need calls of their own
   */
  public Eraser(Table table, Clock clock, Concurrency concurrency) {
    this.concurrency = concurrency;
    this.table = table;
    this.clock = clock;
    this.writes = new ConditionalWrites(table);
    this.edges = new FollowEdges(table);
    this.follows = new FollowWriter(table, Long.MAX_VALUE);
    this.specials = new SpecialFollowWriter(table, Integer.MAX_VALUE);
    this.blocks = new BlockWriter(table, new BlocksAndMutes(table, clock), Long.MAX_VALUE);
    this.removals = new MediaRemovals(table);
  }

  /**
   * Removes an account from rows that name it. One write unit a row and those of its indexes, six
   * for an edge. Rows that need calls of their own are removed concurrently, except those whose
   * removal writes one quota or one block. After a call that failed no other begins.
   *
   * @param isLater whether everything that was in progress when the account was deleted is over
   */
  public void erase(String userId, List<Row> rows, boolean isLater) {
    var byConflict = new LinkedHashMap<Key, List<Row>>();
    for (var row : rows) {
      byConflict.computeIfAbsent(conflicting(row), _ -> new ArrayList<>()).add(row);
    }
    var plain = new ConcurrentLinkedQueue<Key>();
    concurrency.forEach(
        List.copyOf(byConflict.values()),
        some -> some.forEach(row -> erase(userId, row, isLater, plain)));
    table.deleteAll(List.copyOf(plain));
  }

  /** Returns the item for which the removals of two rows would compete; most have their own. */
  private static Key conflicting(Row row) {
    return switch (row) {
      case Follow edge -> FollowQuota.key(edge.followerId());
      case SpecialFollower special -> FollowQuota.key(special.followerId());
      case BlockedBy block -> Block.key(block.blockerId(), block.userId());
      default -> row.key();
    };
  }

  /**
   * Removes an account from one row.
   *
   * @param plain gets the keys of rows that can be deleted as they are
   */
  private void erase(String userId, Row row, boolean isLater, Collection<Key> plain) {
    switch (row) {
      // Rows under a post may be deleted with the post as well; the stream keeps the counts.
      case User _,
          PostTag _,
          Like _,
          Comment _,
          FeedEntry _,
          Notification _,
          Inbox _,
          PostNotification _ ->
          plain.add(row.key());
      case FeedActivity _, RetainedPosts _, Mute _, PulledAuthor _, ProcessedEvent _, Fence _ ->
          plain.add(row.key());
      case RecentDelivery _, Suspect _, FollowOpening _ -> plain.add(row.key());
      // The stream removes the objects.
      case Media _ -> plain.add(row.key());
      // Stays until its objects are gone, and the erasure with it.
      case MediaRemoval removal when removal.isTimer() -> {}
      case MediaRemoval removal -> removals.armAgain(removal, Timestamps.now(clock));
      // Unfollows in progress still count in it, or would create it again.
      case TopAuthor count when isLater -> plain.add(count.key());
      case TopAuthor _ -> {}
      case HandleClaim claim -> writes.remove(claim);
      case Post post when post.authorId().equals(userId) -> plain.add(post.key());
      case Post post -> forgetMention(post, userId);
      case Follow edge -> follows.unfollow(edge.followerId(), edge.followeeId());
      case SpecialFollower special -> specials.repair(special.followerId(), special.followeeId());
      case FollowQuota quota when quota.userId().equals(userId) -> close(quota, isLater);
      case FollowQuota quota -> specials.repair(quota.userId(), userId);
      case Block block -> blocks.unblock(block.userId(), block.blockedId());
      case BlockedBy block -> blocks.unblock(block.blockerId(), block.userId());
      case IdempotencyRecord record -> forget(record, userId);
      case FanOutChunk chunk when isLater -> writes.replace(chunk, without(chunk, userId));
      case PostNotificationChunk part when isLater -> writes.replace(part, without(part, userId));
      // A fan-out in progress may continue after it.
      case FanOutChunk _, PostNotificationChunk _ -> {}
      // The removal goes on without the name. A new version is an order, also where one was lost.
      case PostCleanUp order -> writes.replace(order, order.withoutAccount(Timestamps.now(clock)));
      case TagTrend _, TagUses _, FanOutPlan _, PullRevision _ -> {}
      case Erasure _, ErasureTimer _, ErasureSweep _, PendingErasure _ -> {}
      case ErasurePace _, WaitingErasure _ -> {}
      // They name no account.
      case Webhook _, WebhookDeliveries _, WebhookRegistry _ -> {}
    }
  }

  /** The text stays as it was written; the handle in it becomes a plain word. */
  private void forgetMention(Post post, String userId) {
    var rest = post.mentions().stream().filter(m -> !m.userId().equals(userId)).toList();
    writes.set(
        post.key(),
        Map.of(Post.MENTIONS, RowCodec.encode(post).get(Post.MENTIONS)),
        Map.of(Post.MENTIONS, RowCodec.encode(post.mentioning(rest)).get(Post.MENTIONS)));
  }

  /**
   * A quota stays while there are edges, which need it. Its number may be too high, which no check
   * corrects without a profile. So later the edges decide, at half a read unit.
   */
  private void close(FollowQuota quota, boolean isLater) {
    if (quota.following() == 0 || isLater && hasNoEdge(quota.userId())) {
      writes.remove(quota);
    }
  }

  private boolean hasNoEdge(String userId) {
    return edges.following(userId, PageRequest.first(1)).items().isEmpty();
  }

  /** Records of other accounts' requests stay for their retries, for a day. */
  private void forget(IdempotencyRecord record, String userId) {
    if (record.userId().equals(userId) || record.expiresAt() <= clock.instant().getEpochSecond()) {
      table.deleteAll(List.of(record.key()));
    }
  }

  private static FanOutChunk without(FanOutChunk chunk, String userId) {
    return chunk.between(bound(chunk.first(), userId), bound(chunk.last(), userId));
  }

  private static PostNotificationChunk without(PostNotificationChunk part, String userId) {
    return new PostNotificationChunk(
        part.postId(),
        part.number(),
        bound(part.first(), userId),
        bound(part.last(), userId),
        part.expiresAt());
  }

  private static String bound(String bound, String userId) {
    return bound.equals(userId) ? NO_ONE : bound;
  }
}
