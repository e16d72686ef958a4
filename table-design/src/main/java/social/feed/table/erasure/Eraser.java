package social.feed.table.erasure;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;

/**
 * Takes an account out of the rows that name it, each as its kind asks for: what counts for others
 * goes the way on which it came, so that the stream takes it from their counts, once. All of it is
 * idempotent. A new kind of row does not compile here until somebody decides.
 */
public final class Eraser {
  /** In the place of an id that bounds a part of an audience; no id has a dot. */
  private static final String NOBODY = ".";

  private final Table table;
  private final Clock clock;
  private final ConditionalWrites corrections;
  private final FollowWriter follows;
  private final SpecialFollowWriter specials;
  private final BlockWriter barriers;

  public Eraser(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
    this.corrections = new ConditionalWrites(table);
    this.follows = new FollowWriter(table, Long.MAX_VALUE);
    this.specials = new SpecialFollowWriter(table, follows, Integer.MAX_VALUE);
    this.barriers =
        new BlockWriter(table, new BlocksAndMutes(table, clock), follows, Long.MAX_VALUE);
  }

  /**
   * Takes an account out of rows that name it. A write unit and those of the indexes a row, six for
   * an edge.
   *
   * @param isLater whether nothing that was under way when the account was deleted can be so still
   */
  public void erase(String userId, List<Row> rows, boolean isLater) {
    var plain = new ArrayList<Key>();
    for (var row : rows) {
      switch (row) {
        // What lies under a post goes with it, or goes here; the stream counts what it counts.
        case User _,
            PostTag _,
            Like _,
            Comment _,
            FeedEntry _,
            Notification _,
            PostNotification _ ->
            plain.add(row.key());
        case FeedActivity _, RetainedPosts _, Mute _, PulledAuthor _, ProcessedEvent _ ->
            plain.add(row.key());
        // The ends of follows that are under way are counted in it, or would bring it back.
        case TopAuthor count when isLater -> plain.add(count.key());
        case TopAuthor _ -> {}
        case HandleClaim claim -> corrections.remove(claim);
        case Post post when post.authorId().equals(userId) -> plain.add(post.key());
        case Post post -> forgetMention(post, userId);
        case Follow edge -> follows.unfollow(edge.followerId(), edge.followeeId());
        case SpecialFollower special -> specials.mend(special.followerId(), special.followeeId());
        case FollowQuota quota when quota.userId().equals(userId) -> close(quota);
        case FollowQuota quota -> specials.mend(quota.userId(), userId);
        case Block block -> barriers.unblock(block.userId(), block.blockedId());
        case BlockedBy block -> barriers.unblock(block.blockerId(), block.userId());
        case IdempotencyRecord record -> forget(record, userId);
        case FanOutChunk chunk when isLater -> corrections.replace(chunk, without(chunk, userId));
        case PostNotificationChunk part when isLater ->
            corrections.replace(part, without(part, userId));
        // Somebody may go on behind it.
        case FanOutChunk _, PostNotificationChunk _ -> {}
        case TagTrend _, FanOutPlan _, Erasure _, ErasureTimer _ -> {}
      }
    }
    table.deleteAll(plain);
  }

  /** The text stays as it was written; the handle in it is a word like any other. */
  private void forgetMention(Post post, String userId) {
    var rest = post.mentions().stream().filter(m -> !m.userId().equals(userId)).toList();
    corrections.set(
        post.key(),
        Map.of(Post.MENTIONS, RowCodec.encode(post).get(Post.MENTIONS)),
        Map.of(Post.MENTIONS, RowCodec.encode(post.mentioning(rest)).get(Post.MENTIONS)));
  }

  /** While there are edges they need it. */
  private void close(FollowQuota quota) {
    if (quota.following() == 0) {
      corrections.remove(quota);
    }
  }

  /** What others were answered is kept for their retries, a day. */
  private void forget(IdempotencyRecord record, String userId) {
    if (record.userId().equals(userId) || record.expiresAt() <= clock.instant().getEpochSecond()) {
      table.deleteAll(List.of(record.key()));
    }
  }

  private static FanOutChunk without(FanOutChunk chunk, String userId) {
    return chunk.between(rest(chunk.first(), userId), rest(chunk.last(), userId));
  }

  private static PostNotificationChunk without(PostNotificationChunk part, String userId) {
    return new PostNotificationChunk(
        part.postId(),
        part.number(),
        rest(part.first(), userId),
        rest(part.last(), userId),
        part.expiresAt());
  }

  private static String rest(String bound, String userId) {
    return bound.equals(userId) ? NOBODY : bound;
  }
}
