package social.feed.ctl;

import static social.feed.ctl.Fault.AT;
import static social.feed.ctl.Fault.GHOST;
import static social.feed.ctl.Fault.number;
import static social.feed.ctl.Fault.text;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Inbox;
import social.feed.table.row.Post;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;

/** Faults of counters and quotas. */
final class CountFaults {
  private CountFaults() {}

  static List<Fault> all() {
    return List.of(
        new Fault(
            "followers_count",
            "followers_count is 7, but 2 were counted",
            w -> w.set(User.key("3"), User.FOLLOWERS_COUNT, number(7))),
        new Fault(
            "followers_count of 0 with followers",
            "followers_count is 0, but 2 were counted",
            w -> w.set(User.key("3"), User.FOLLOWERS_COUNT, number(0))),
        new Fault(
            "followers gained",
            "gained is 7, but 2 were counted",
            w -> w.set(gained(w, "3").key(), TopAuthor.GAINED, number(7))),
        new Fault(
            "followers gained in a month without new followers",
            "gained is 4, but 0 were counted",
            w ->
                w.plant(
                    TopAuthor.empty("2019-07", "3").plus(Map.of(TopAuthor.GAINED, 4L), Map.of()))),
        new Fault(
            "lost row of followers gained",
            "USER#3 / META gained 2 followers in",
            w -> w.steal(gained(w, "3").key())),
        new Fault(
            "uses of a tag",
            "was used 12 times at",
            w -> w.plant(trend(w).plus(Map.of(hour(w), 12 - uses(w)), Map.of()))),
        new Fault(
            "uses of a tag that no post has",
            "was used 5 times at",
            w -> w.plant(TagTrend.empty(6, "unused").plus(Map.of(hour(w), 5L), Map.of()))),
        new Fault(
            "uses of a tag in more hours than repair rounds",
            "was used 5 times at",
            w -> w.plant(TagTrend.empty(6, "often").plus(everyHour(w, 9), Map.of()))),
        new Fault(
            "row of a tag from before its shards had rows",
            "GSI1PK is TREND#6#3, not absent",
            w -> {
              var old =
                  new TagTrend(
                      6,
                      "old",
                      2,
                      Map.of(hour(w), 5L),
                      1,
                      Map.of(),
                      Map.of(),
                      Fault.now().plus(Duration.ofDays(1)).getEpochSecond());
              w.plant(old);
              w.set(old.key(), Index.POSTS_BY_AUTHOR.partitionKey(), text("TREND#6#3"));
              w.set(old.key(), Index.POSTS_BY_AUTHOR.sortKey(), text("000083111500000#TAG#old"));
            }),
        new Fault("lost uses of a tag", "was used 0 times at", w -> w.steal(trend(w).key())),
        new Fault(
            "following_count",
            "following_count is 7, but 2 were counted",
            w -> w.set(User.key("1"), User.FOLLOWING_COUNT, number(7))),
        new Fault(
            "following_count with a version later than the quota",
            "following_count is 7, but 2 were counted",
            w -> {
              w.set(User.key("1"), User.FOLLOWING_COUNT, number(7));
              w.set(User.key("1"), User.FOLLOWING_VERSION, number(999));
            }),
        new Fault(
            "posts_count",
            "posts_count is 7, but 2 were counted",
            w -> w.set(User.key("1"), User.POSTS_COUNT, number(7))),
        new Fault(
            "likes_count",
            "likes_count is 7, but 1 were counted",
            w -> w.set(w.postOf("3").key(), Post.LIKES_COUNT, number(7))),
        new Fault(
            "comments_count",
            "comments_count is 0, but 1 were counted",
            w -> w.set(w.postOf("3").key(), Post.COMMENTS_COUNT, number(0))),
        new Fault(
            "unread", "unread is 70, but", w -> w.set(Inbox.key("3"), Inbox.UNREAD, number(70))),
        new Fault(
            "quota too high",
            FollowQuota.key("1") + " is 9, but 2 were counted",
            w -> w.set(FollowQuota.key("1"), "following", number(9))),
        new Fault(
            "quota lost",
            FollowQuota.key("1") + " is 0, but 2 were counted",
            w -> w.steal(FollowQuota.key("1"))),
        new Fault(
            "edge that is missing from the quota",
            FollowQuota.key("2") + " is 1, but 2 were counted",
            w -> w.plant(Follow.imported("2", "1", AT))),
        new Fault(
            "quota of no account",
            "needs " + User.key(GHOST),
            w -> w.plant(new FollowQuota(GHOST, 3, 5))));
  }

  /** Returns the followers that an account gained in the month of all edges. */
  private static TopAuthor gained(VerifyWorld world, String userId) {
    var at = world.edge("1", userId).createdAt();
    return (TopAuthor) world.row(TopAuthor.key(at, userId));
  }

  private static String hour(VerifyWorld world) {
    return TagTrend.hour(world.postOf("1").createdAt());
  }

  /** Returns uses in the last hours. */
  private static Map<String, Long> everyHour(VerifyWorld world, int hours) {
    var last = world.postOf("1").createdAt();
    return IntStream.range(0, hours)
        .mapToObj(ago -> TagTrend.hour(last.minus(Duration.ofHours(ago))))
        .collect(Collectors.toMap(hour -> hour, _ -> 5L));
  }

  private static TagTrend trend(VerifyWorld world) {
    var tag = world.postOf("1").tags().getFirst();
    return (TagTrend) world.row(TagTrend.key(TrendingTags.HALF_LIFE, tag));
  }

  private static long uses(VerifyWorld world) {
    return trend(world).uses().getOrDefault(hour(world), 0L);
  }
}
