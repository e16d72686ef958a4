package social.feed.ctl.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.User;

/**
 * Rows that make no sense without others are not without them. One read unit a row that must be
 * there; {@link OrphanRepair} says what becomes of those that are.
 */
record ParentCheck(TableScanner census, OrphanRepair repair) implements RowCheck {
  private static final Set<Class<? extends Row>> CHILDREN =
      Set.of(
          Follow.class,
          FollowQuota.class,
          RetainedPosts.class,
          FeedActivity.class,
          Block.class,
          BlockedBy.class,
          Mute.class,
          Like.class,
          Comment.class,
          PostTag.class,
          Post.class,
          Notification.class);

  @Override
  public String name() {
    return "rows with their parents";
  }

  @Override
  public boolean concerns(Row row) {
    return CHILDREN.contains(row.getClass());
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    Function<Row, List<Key>> parents = ParentCheck::parents;
    var keys = rows.stream().map(parents).flatMap(List::stream).toList();
    var there = RelatedRows.at(keys, census);
    var drifts = new ArrayList<Drift>();
    for (var row : rows) {
      parents(row).stream()
          .filter(key -> !there.has(key))
          .forEach(
              key ->
                  drifts.add(
                      new Drift(
                          row.key(),
                          row.key() + " needs " + key + ", which is absent",
                          repair.of(row, key))));
    }
    return drifts;
  }

  private static List<Key> parents(Row row) {
    return switch (row) {
      case Follow f -> List.of(User.key(f.followerId()), User.key(f.followeeId()));
      case FollowQuota quota -> List.of(User.key(quota.userId()));
      case FeedActivity activity -> List.of(User.key(activity.userId()));
      case RetainedPosts kept -> List.of(User.key(kept.readerId()), User.key(kept.authorId()));
      case Block b -> List.of(User.key(b.userId()), User.key(b.blockedId()));
      case BlockedBy b -> List.of(User.key(b.userId()), User.key(b.blockerId()));
      case Mute mute -> List.of(User.key(mute.userId()), User.key(mute.mutedId()));
      case Like like -> List.of(Post.key(like.postId()), User.key(like.userId()));
      case Comment comment -> List.of(Post.key(comment.postId()), User.key(comment.authorId()));
      case PostTag tag -> List.of(Post.key(tag.postId()));
      case Post post -> List.of(User.key(post.authorId()));
      case Notification notification -> List.of(User.key(notification.userId()));
      default -> List.of();
    };
  }
}
