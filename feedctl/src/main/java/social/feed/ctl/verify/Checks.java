package social.feed.ctl.verify;

import java.util.List;
import java.util.Set;
import social.feed.table.declaration.Index;
import social.feed.table.graph.FollowWrites;
import social.feed.table.row.Comment;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.KeptHistory;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.User;
import social.feed.table.store.Census;
import social.feed.table.store.Table;

/** Everything that verify compares, in the order of its table of results. */
final class Checks {
  private Checks() {}

  static List<Check> of(Table table, AuthorPosts posts) {
    var census = new Census(table);
    var quotas = new FollowWrites(table, Long.MAX_VALUE);
    return List.of(
        new CounterCheck<>(
            "followers_count",
            User.class,
            User::followersCount,
            user -> census.count(Keys.followee(user.userId()), Keys.FOLLOWERS)),
        new CounterCheck<>(
            "following_count",
            User.class,
            User::followingCount,
            user -> census.count(Index.FOLLOWING, Keys.follower(user.userId()))),
        new CounterCheck<>(
            "follow quota",
            User.class,
            user -> quotas.quota(user.userId()).following(),
            user -> census.count(Index.FOLLOWING, Keys.follower(user.userId()))),
        new CounterCheck<>(
            "posts_count",
            User.class,
            User::postsCount,
            user -> census.count(Index.POSTS_BY_AUTHOR, Keys.user(user.userId()))),
        new CounterCheck<>(
            "likes_count",
            Post.class,
            Post::likesCount,
            post -> census.count(Keys.post(post.postId()), Keys.LIKES)),
        new CounterCheck<>(
            "comments_count",
            Post.class,
            Post::commentsCount,
            post -> census.count(Keys.post(post.postId()), Keys.COMMENTS)),
        new FeedCompleteCheck(table, posts),
        new FeedSoundCheck(table),
        new TagCheck(table),
        parents(table));
  }

  private static Check parents(Table table) {
    return new ParentCheck(
        "rows with their parents",
        Set.of(
            Follow.class,
            FollowQuota.class,
            KeptHistory.class,
            Like.class,
            Comment.class,
            PostTag.class,
            Post.class,
            User.class,
            HandleClaim.class),
        row ->
            switch (row) {
              case Follow f -> List.of(User.key(f.followerId()), User.key(f.followeeId()));
              case FollowQuota q -> List.of(User.key(q.userId()));
              case KeptHistory k -> List.of(User.key(k.readerId()), User.key(k.authorId()));
              case Like like -> List.of(Post.key(like.postId()));
              case Comment comment -> List.of(Post.key(comment.postId()));
              case PostTag tag -> List.of(Post.key(tag.postId()));
              case Post post -> List.of(User.key(post.authorId()));
              case User user -> List.of(HandleClaim.key(user.handle()));
              case HandleClaim claim -> List.of(User.key(claim.userId()));
              default -> List.of();
            },
        table);
  }
}
