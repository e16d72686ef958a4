package social.feed.testkit.simulation;

import java.time.Clock;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.home.FeedActivities;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.user.Users;

/** What the API writes through. */
record WriteStores(
    Users users,
    Posts posts,
    Likes likes,
    Comments comments,
    FollowEdges follows,
    RetainedPostsStore kept,
    FollowWriter followWrites,
    SpecialFollowWriter specialWrites,
    BlockWriter barrierWrites,
    FeedActivities activities,
    Erasures erasures) {
  private static final long CAP = 5_000;
  private static final int SPECIAL_CAP = 30;

  static WriteStores of(Table table, Clock clock) {
    var users = new Users(table);
    return new WriteStores(
        users,
        new Posts(table),
        new Likes(table),
        new Comments(table),
        new FollowEdges(table),
        new RetainedPostsStore(table),
        new FollowWriter(table, CAP),
        new SpecialFollowWriter(table, SPECIAL_CAP),
        new BlockWriter(table, new BlocksAndMutes(table, clock), CAP),
        new FeedActivities(table),
        new Erasures(table, users));
  }
}
