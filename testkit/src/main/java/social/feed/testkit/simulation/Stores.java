package social.feed.testkit.simulation;

import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.graph.FollowWrites;
import social.feed.table.graph.Follows;
import social.feed.table.post.Posts;
import social.feed.table.store.Table;
import social.feed.table.user.Users;

/** What the API writes through. */
record Stores(
    Users users,
    Posts posts,
    Likes likes,
    Comments comments,
    Follows follows,
    FollowWrites followWrites) {
  private static final long CAP = 5_000;

  static Stores of(Table table) {
    return new Stores(
        new Users(table),
        new Posts(table),
        new Likes(table),
        new Comments(table),
        new Follows(table),
        new FollowWrites(table, CAP));
  }
}
