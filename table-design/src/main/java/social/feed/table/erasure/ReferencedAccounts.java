package social.feed.table.erasure;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Mention;
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
 * Whose ids a row holds, in its key or its attributes: what an erasure has to find. A new kind of
 * row does not compile here until somebody decides whom it names.
 */
public final class ReferencedAccounts {
  /** Claims of dead letters hold the key of what is counted. */
  private static final Pattern IN_NAME = Pattern.compile(Keys.USERS + "([^#]+)");

  private ReferencedAccounts() {}

  /**
   * The accounts that a row names. Texts are not looked into: what others wrote is theirs, also
   * where it has a handle in it.
   */
  public static Set<String> row(Row row) {
    return switch (row) {
      case User user -> Set.of(user.userId());
      case HandleClaim claim -> Set.of(claim.userId());
      case Post post ->
          Stream.concat(Stream.of(post.authorId()), post.mentions().stream().map(Mention::userId))
              .collect(Collectors.toSet());
      case PostTag tag -> Set.of(tag.authorId());
      case Comment comment -> both(comment.authorId(), comment.postAuthorId());
      case Like like -> both(like.userId(), like.postAuthorId());
      case Follow edge -> both(edge.followerId(), edge.followeeId());
      case SpecialFollower special -> both(special.followerId(), special.followeeId());
      case FollowQuota quota ->
          Stream.concat(Stream.of(quota.userId()), quota.specials().stream())
              .collect(Collectors.toSet());
      case RetainedPosts kept -> both(kept.readerId(), kept.authorId());
      case FeedActivity activity -> Set.of(activity.userId());
      case Block block -> both(block.userId(), block.blockedId());
      case BlockedBy block -> both(block.userId(), block.blockerId());
      case Mute mute -> both(mute.userId(), mute.mutedId());
      case FeedEntry entry -> both(entry.readerId(), entry.authorId());
      case PulledAuthor author -> Set.of(author.authorId());
      case TopAuthor author -> Set.of(author.userId());
      case FanOutChunk chunk -> both(chunk.first(), chunk.last());
      case Notification told -> both(told.userId(), told.actorId());
      case PostNotification told -> both(told.readerId(), told.authorId());
      case PostNotificationChunk part -> both(part.first(), part.last());
      case IdempotencyRecord record -> Set.of(record.userId());
      case ProcessedEvent mark ->
          IN_NAME.matcher(mark.name()).results().map(m -> m.group(1)).collect(Collectors.toSet());
      // The order to erase; and where a walk is, which moves on by itself.
      case Erasure _, ErasureTimer _ -> Set.of();
      case TagTrend _, FanOutPlan _ -> Set.of();
    };
  }

  private static Set<String> both(String one, String other) {
    return one.equals(other) ? Set.of(one) : Set.of(one, other);
  }
}
