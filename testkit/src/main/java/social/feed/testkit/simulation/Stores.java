package social.feed.testkit.simulation;

import java.time.Clock;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.erasure.Erasures;
import social.feed.table.graph.BarrierWrites;
import social.feed.table.graph.Barriers;
import social.feed.table.graph.FollowWrites;
import social.feed.table.graph.Follows;
import social.feed.table.graph.KeptHistories;
import social.feed.table.graph.SpecialWrites;
import social.feed.table.home.Activities;
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
    KeptHistories kept,
    FollowWrites followWrites,
    SpecialWrites specialWrites,
    BarrierWrites barrierWrites,
    Activities activities,
    Erasures erasures) {
  private static final long CAP = 5_000;
  private static final int SPECIAL_CAP = 30;

  static Stores of(Table table, Clock clock) {
    var followWrites = new FollowWrites(table, CAP);
    var users = new Users(table);
    return new Stores(
        users,
        new Posts(table),
        new Likes(table),
        new Comments(table),
        new Follows(table),
        new KeptHistories(table),
        followWrites,
        new SpecialWrites(table, followWrites, SPECIAL_CAP),
        new BarrierWrites(table, new Barriers(table, clock), followWrites, CAP),
        new Activities(table),
        new Erasures(table, users));
  }
}
