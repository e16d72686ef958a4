package social.feed.ctl.verify;

import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.Row;

/**
 * What becomes of a row whose parent does not exist: what a deleted post left behind goes, an edge
 * is removed with its quota, as an unfollow does it. What people wrote stays, for a person to
 * decide about.
 */
record OrphanRepair(TableScanner census, ConditionalWrites corrections, FollowWriter follows) {
  Repair of(Row row, Key missing) {
    return switch (row) {
      case Like like when missing.equals(Post.key(like.postId())) -> remove(like);
      case Comment comment when missing.equals(Post.key(comment.postId())) -> remove(comment);
      case PostTag tag -> remove(tag);
      case Follow edge -> () -> follows.unfollow(edge.followerId(), edge.followeeId());
      case FeedActivity activity -> remove(activity);
      case FollowQuota quota -> () -> followsNobody(quota) && corrections.remove(quota);
      default -> Repair.NONE;
    };
  }

  private Repair remove(Row row) {
    return () -> corrections.remove(row);
  }

  /** Its edges go first, and each of them writes the quota. */
  private boolean followsNobody(FollowQuota quota) {
    return census.count(Index.FOLLOWING, Keys.follower(quota.userId())) == 0;
  }
}
