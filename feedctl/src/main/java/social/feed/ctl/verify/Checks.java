package social.feed.ctl.verify;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.erasure.Eraser;
import social.feed.table.graph.BlockWriter;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.FollowWriter;
import social.feed.table.graph.SpecialFollowWriter;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.PullRegistry;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.notification.Notifications;
import social.feed.table.notification.PostNotifications;
import social.feed.table.post.Posts;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.User;
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
    var census = new TableScanner(table);
    var corrections = new ConditionalWrites(table);
    var follows = new FollowWriter(table, Long.MAX_VALUE);
    var posts = new Posts(table);
    var blocks =
        new BlockWriter(table, new BlocksAndMutes(table, Clock.systemUTC()), Long.MAX_VALUE);
    var recounts = new CounterRecounts(table);
    var counters = new CounterRepair(recounts, corrections, new FollowQuotas(table));
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
        new SpecialCheck(census, new SpecialFollowWriter(table, Integer.MAX_VALUE)),
        following(census, counters),
        followers(census, counters),
        new FollowersGainedCheck(census, recounts),
        new TrendCheck(census, recounts, halfLife, Clock.systemUTC()),
        posts(census, counters),
        likes(census, counters),
        comments(census, counters),
        new PostNotificationCheck(
            census,
            new PostNotifications(table, new Notifications(table, Clock.systemUTC())),
            corrections,
            Clock.systemUTC()),
        new RegistryCheck(census, new Users(table), new PullRegistry(table), Clock.systemUTC()),
        new FeedSoundCheck(census, feeds),
        new BackfillCheck(authors, new FollowEdges(table)),
        new FeedCompleteCheck(census, authors, feeds, Clock.systemUTC()));
    rule.ifPresent(known -> checks.add(new CelebrityFlagCheck(known, corrections)));
    return checks;
  }

  private static Check following(TableScanner census, CounterRepair repair) {
    return new CounterCheck<>(
        User.FOLLOWING_COUNT,
        User.class,
        User::followingCount,
        user -> census.count(Index.FOLLOWING, Keys.follower(user.userId())),
        repair::settleFollowing);
  }

  private static Check followers(TableScanner census, CounterRepair repair) {
    return new CounterCheck<>(
        User.FOLLOWERS_COUNT,
        User.class,
        User::followersCount,
        user -> census.count(Keys.followee(user.userId()), Keys.FOLLOWERS),
        (user, counted) -> repair.settle(user, User.FOLLOWERS_COUNT, counted));
  }

  private static Check posts(TableScanner census, CounterRepair repair) {
    ToLongFunction<User> count =
        user -> census.count(Index.POSTS_BY_AUTHOR, Keys.user(user.userId()));
    return new CounterCheck<>(
        User.POSTS_COUNT,
        User.class,
        User::postsCount,
        count,
        (user, counted) -> repair.settlePosts(user, counted, count));
  }

  private static Check likes(TableScanner census, CounterRepair repair) {
    return new CounterCheck<>(
        Post.LIKES_COUNT,
        Post.class,
        Post::likesCount,
        post -> census.count(Keys.post(post.postId()), Keys.LIKES),
        (post, counted) -> repair.settle(post, Post.LIKES_COUNT, counted));
  }

  private static Check comments(TableScanner census, CounterRepair repair) {
    return new CounterCheck<>(
        Post.COMMENTS_COUNT,
        Post.class,
        Post::commentsCount,
        post -> census.count(Keys.post(post.postId()), Keys.COMMENTS),
        (post, counted) -> repair.settle(post, Post.COMMENTS_COUNT, counted));
  }
}
