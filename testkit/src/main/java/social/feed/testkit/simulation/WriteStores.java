package social.feed.testkit.simulation;

import java.time.Clock;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.home.FeedActivities;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaRemovals;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;
import social.feed.table.user.Users;

/** The stores through which the API writes. */
record WriteStores(
    Users users,
    Posts posts,
    Likes likes,
    Comments comments,
    FollowEdges follows,
    RetainedPostsStore retainedPosts,
    FollowWriter followWriter,
    SpecialFollowWriter specialFollowWriter,
    BlockWriter blockWriter,
    FeedActivities activities,
    Notifications notifications,
    Erasures erasures,
    ErasureSweeps sweeps,
    MediaFiles media,
    MediaRemovals removals) {
  private static final long MAX_FOLLOWING = 5_000;
  private static final int MAX_SPECIAL = 30;

  static WriteStores of(Table table, Clock clock) {
    var users = new Users(table);
    return new WriteStores(
        users,
        new Posts(table),
        new Likes(table),
        new Comments(table),
        new FollowEdges(table),
        new RetainedPostsStore(table),
        new FollowWriter(table, MAX_FOLLOWING),
        new SpecialFollowWriter(table, MAX_SPECIAL),
        new BlockWriter(table, new BlocksAndMutes(table, clock), MAX_FOLLOWING),
        new FeedActivities(table),
        new Notifications(table, clock),
        new Erasures(table, users),
        new ErasureSweeps(table, Subject.SWEEPS),
        new MediaFiles(table),
        new MediaRemovals(table));
  }
}
