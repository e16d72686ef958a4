package social.feed.ctl.verify;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import social.feed.table.counter.Recounts;
import social.feed.table.declaration.Index;
import social.feed.table.erasure.Eraser;
import social.feed.table.graph.BarrierWrites;
import social.feed.table.graph.Barriers;
import social.feed.table.graph.FollowWrites;
import social.feed.table.graph.Follows;
import social.feed.table.graph.SpecialWrites;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.notification.Announcements;
import social.feed.table.notification.Notifications;
import social.feed.table.post.Posts;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.store.Census;
import social.feed.table.store.Corrections;
import social.feed.table.store.Table;
import social.feed.table.user.CelebrityRule;
import social.feed.table.user.Users;

/**
 * Everything that verify compares, in the order of its table of results. It is the order of the
 * repairs as well: counts need right index keys, and rows that go take with them what was counted.
 */
final class Checks {
  private Checks() {}

  static List<Check> of(
      Table table, AuthorPosts authors, Optional<CelebrityRule> rule, Duration halfLife) {
    var census = new Census(table);
    var corrections = new Corrections(table);
    var follows = new FollowWrites(table, Long.MAX_VALUE);
    var posts = new Posts(table);
    var blocks =
        new BarrierWrites(table, new Barriers(table, Clock.systemUTC()), follows, Long.MAX_VALUE);
    var recounts = new Recounts(table);
    var counters = new CounterRepair(recounts, corrections, follows);
    var feeds = new FeedRepair(new HomeFeeds(table), posts, census);
    var checks = new ArrayList<Check>();
    Collections.addAll(
        checks,
        new ReadableCheck(),
        new IndexKeyCheck(corrections),
        new ErasedCheck(census, new Eraser(table, Clock.systemUTC())),
        new ParentCheck(census, new OrphanRepair(census, corrections, follows)),
        new HandleCheck(census, corrections),
        new BlockCheck(census, blocks, corrections),
        new TagCheck(census, new TagRepair(table, posts, corrections)),
        new QuotaCheck(census, corrections),
        new SpecialCheck(census, new SpecialWrites(table, follows, Integer.MAX_VALUE)),
        following(census, counters),
        followers(census, counters),
        new GainedCheck(census, recounts),
        new TrendCheck(census, recounts, halfLife, Clock.systemUTC()),
        posts(census, counters),
        likes(census, counters),
        comments(census, counters),
        new AnnouncementCheck(
            census,
            new Announcements(table, new Notifications(table, Clock.systemUTC())),
            corrections,
            Clock.systemUTC()),
        new RegistryCheck(census, new Users(table), new PullRegistry(table), Clock.systemUTC()),
        new FeedSoundCheck(census, feeds),
        new BackfillCheck(authors, new Follows(table)),
        new FeedCompleteCheck(census, authors, feeds, Clock.systemUTC()));
    rule.ifPresent(known -> checks.add(new FameCheck(known, corrections)));
    return checks;
  }

  private static Check following(Census census, CounterRepair repair) {
    return new CounterCheck<>(
        User.FOLLOWING_COUNT,
        User.class,
        User::followingCount,
        user -> census.count(Index.FOLLOWING, Keys.follower(user.userId())),
        repair::settleFollowing);
  }

  private static Check followers(Census census, CounterRepair repair) {
    return new CounterCheck<>(
        User.FOLLOWERS_COUNT,
        User.class,
        User::followersCount,
        user -> census.count(Keys.followee(user.userId()), Keys.FOLLOWERS),
        (user, counted) -> repair.settle(user, User.FOLLOWERS_COUNT, counted));
  }

  private static Check posts(Census census, CounterRepair repair) {
    ToLongFunction<User> count =
        user -> census.count(Index.POSTS_BY_AUTHOR, Keys.user(user.userId()));
    return new CounterCheck<>(
        User.POSTS_COUNT,
        User.class,
        User::postsCount,
        count,
        (user, counted) -> repair.settlePosts(user, counted, count));
  }

  private static Check likes(Census census, CounterRepair repair) {
    return new CounterCheck<>(
        Post.LIKES_COUNT,
        Post.class,
        Post::likesCount,
        post -> census.count(Keys.post(post.postId()), Keys.LIKES),
        (post, counted) -> repair.settle(post, Post.LIKES_COUNT, counted));
  }

  private static Check comments(Census census, CounterRepair repair) {
    return new CounterCheck<>(
        Post.COMMENTS_COUNT,
        Post.class,
        Post::commentsCount,
        post -> census.count(Keys.post(post.postId()), Keys.COMMENTS),
        (post, counted) -> repair.settle(post, Post.COMMENTS_COUNT, counted));
  }
}
