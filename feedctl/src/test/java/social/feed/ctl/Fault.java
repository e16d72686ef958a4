package social.feed.ctl;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import social.feed.table.declaration.Index;
import social.feed.table.graph.FollowWrites;
import social.feed.table.graph.SpecialWrites;
import social.feed.table.home.HomeFeeds;
import social.feed.table.id.TimeOrderedId;
import social.feed.table.notification.Notifications;
import social.feed.table.page.PageRequest;
import social.feed.table.row.Announcement;
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.KeptHistory;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RowKind;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.time.Timestamps;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Something wrong in a table where 1 follows 2 and 3, 2 follows 3, 3 follows 1; each has posts, and
 * the newest post of 3 is liked and commented by others.
 *
 * @param name what it is
 * @param says what verify says of it
 * @param plant makes it so
 */
record Fault(String name, String says, Consumer<World> plant) {
  /** Not so old that what lies there has expired. */
  static final Instant AT = Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS);

  private static final String GHOST = "ghost";
  private static final String DELIVERY = "delivery";

  /** An erasure that is finished. */
  private static Erasure erased(String userId) {
    return Erasure.of(userId, AT).done(AT).done(AT).done(AT).done(AT).awoken().done(AT);
  }

  /** The time of what must not have expired. */
  static Instant now() {
    return Timestamps.now(Clock.systemUTC());
  }

  @Override
  public String toString() {
    return name;
  }

  /** Those that can be repaired. */
  static List<Fault> repairable() {
    return List.of(
        new Fault(
            "registry that says celebrity of somebody who is none",
            "USER#2 / META is no celebrity, and the registry says otherwise",
            w -> w.table().putAll(List.of(PulledAuthor.from("2", AT)))),
        new Fault(
            "pulled post that the registry does not reach",
            "is pulled, and the registry does not reach it",
            w -> w.set(w.postOf("2").key(), DELIVERY, AttributeValue.fromS("pull"))),
        new Fault(
            "row that names who was erased",
            "names gone, who was erased",
            w -> {
              w.plant(erased("gone"));
              w.plant(Mute.of("1", "gone", AT, null));
            }),
        new Fault(
            "followers_count",
            "followers_count is 7, counted are 2",
            w -> w.set(User.key("3"), User.FOLLOWERS_COUNT, number(7))),
        new Fault(
            "followers_count of none that are some",
            "followers_count is 0, counted are 2",
            w -> w.set(User.key("3"), User.FOLLOWERS_COUNT, number(0))),
        new Fault(
            "account at no place among all",
            Index.POSTS_BY_AUTHOR.partitionKey() + " is absent",
            w ->
                w.remove(
                    User.key("3"),
                    Index.POSTS_BY_AUTHOR.partitionKey(),
                    Index.POSTS_BY_AUTHOR.sortKey())),
        new Fault(
            "followers gained",
            "gained is 7, counted are 2",
            w -> w.set(gained(w, "3").key(), TopAuthor.GAINED, number(7))),
        new Fault(
            "followers gained in a month of none",
            "gained is 4, counted are 0",
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
            "uses of a tag that nobody used",
            "was used 5 times at",
            w -> w.plant(TagTrend.empty(6, "unused", 2).plus(Map.of(hour(w), 5L), Map.of()))),
        new Fault(
            "uses of a tag in more hours than there are rounds",
            "was used 5 times at",
            w -> w.plant(TagTrend.empty(6, "often", 2).plus(everyHour(w, 9), Map.of()))),
        new Fault("lost uses of a tag", "was used 0 times at", w -> w.steal(trend(w).key())),
        new Fault(
            "following_count",
            "following_count is 7, counted are 2",
            w -> w.set(User.key("1"), User.FOLLOWING_COUNT, number(7))),
        new Fault(
            "following_count behind a version that never comes",
            "following_count is 7, counted are 2",
            w -> {
              w.set(User.key("1"), User.FOLLOWING_COUNT, number(7));
              w.set(User.key("1"), User.FOLLOWING_VERSION, number(999));
            }),
        new Fault(
            "posts_count",
            "posts_count is 7, counted are 2",
            w -> w.set(User.key("1"), User.POSTS_COUNT, number(7))),
        new Fault(
            "likes_count",
            "likes_count is 7, counted are 1",
            w -> w.set(w.postOf("3").key(), Post.LIKES_COUNT, number(7))),
        new Fault(
            "comments_count",
            "comments_count is 0, counted are 1",
            w -> w.set(w.postOf("3").key(), Post.COMMENTS_COUNT, number(0))),
        new Fault(
            "quota too high",
            FollowQuota.key("1") + " says 9, counted are 2",
            w -> w.set(FollowQuota.key("1"), "following", number(9))),
        new Fault(
            "quota lost",
            FollowQuota.key("1") + " says 0, counted are 2",
            w -> w.steal(FollowQuota.key("1"))),
        new Fault(
            "entry elsewhere in its feed",
            Index.FEED_BY_USER.sortKey() + " is elsewhere",
            w -> w.set(entry(w).key(), Index.FEED_BY_USER.sortKey(), text("elsewhere"))),
        new Fault(
            "post in no list of its author",
            Index.POSTS_BY_AUTHOR.partitionKey() + " is absent",
            w ->
                w.remove(
                    w.postOf("2").key(),
                    Index.POSTS_BY_AUTHOR.partitionKey(),
                    Index.POSTS_BY_AUTHOR.sortKey())),
        new Fault(
            "unread notification that is not among them",
            Index.UNREAD.partitionKey() + " is absent",
            w ->
                w.remove(
                    notification(w).key(), Index.UNREAD.partitionKey(), Index.UNREAD.sortKey())),
        new Fault(
            "read notification among the unread",
            Index.UNREAD.sortKey() + " is 20",
            w -> w.set(notification(w).key(), Notification.READ, AttributeValue.fromBool(true))),
        new Fault("lost tag row", "is absent or another", w -> w.steal(tag(w.postOf("1")).key())),
        new Fault(
            "tag row of another visibility, under its tag still",
            Index.POSTS_BY_TAG.partitionKey() + " is",
            w -> w.set(tag(w.postOf("1")).key(), "visibility", text("private"))),
        new Fault(
            "tag row of another visibility, under no tag",
            "is absent or another",
            w -> {
              var key = tag(w.postOf("1")).key();
              w.set(key, "visibility", text("private"));
              w.remove(key, Index.POSTS_BY_TAG.partitionKey(), Index.POSTS_BY_TAG.sortKey());
            }),
        new Fault(
            "surplus tag row",
            "is a tag that its post does not have",
            w -> w.plant(PostTag.of(w.postOf("1"), "surplus"))),
        new Fault(
            "lost feed entry",
            "is missing in the feed",
            w -> new HomeFeeds(w.table()).withdraw(List.of(entry(w)))),
        new Fault(
            "follow that was not filled up",
            Follow.key("2", "1") + " was not filled up with the posts of before",
            w -> w.plant(Follow.adopted("2", "1", now()))),
        new Fault(
            "celebrity without followers",
            "USER#3 / META is a celebrity with 2 followers",
            w -> w.set(User.key("3"), User.IS_CELEBRITY, AttributeValue.fromBool(true))),
        new Fault(
            "lost entry of the author's own",
            "is missing in the feed",
            w -> w.steal(FeedEntry.of(w.postOf("2").ref(), "2").key())),
        new Fault(
            "entry of an author who is not followed",
            "is of an author who is not followed",
            w -> w.plant(FeedEntry.of(w.postOf("1").ref(), "2"))),
        new Fault(
            "entry of another time",
            "has other keys than its post asks for",
            w -> {
              var e = entry(w);
              w.plant(new FeedEntry(e.postId(), e.shard(), e.readerId(), e.authorId(), AT));
            }),
        new Fault(
            "entry of another author",
            "names another author than its post",
            w -> w.set(entry(w).key(), FeedEntry.AUTHOR_ID, text("2"))),
        new Fault(
            "entry of no post",
            "is of a post that does not exist",
            w -> w.plant(new FeedEntry(GHOST, 0, "1", "3", AT))),
        new Fault(
            "lost claim",
            "has no claim of its handle user_1",
            w -> w.steal(HandleClaim.key("user_1"))),
        new Fault(
            "claim of nobody",
            "names ghost, whose handle it is not",
            w -> w.plant(new HandleClaim("nobodys", GHOST))),
        new Fault(
            "second claim of an account",
            "names 1, whose handle it is not",
            w -> w.plant(new HandleClaim("another", "1"))),
        new Fault(
            "claim that names somebody else",
            "has the handle user_1, which 2 claims",
            w -> w.plant(new HandleClaim("user_1", "2"))),
        new Fault(
            "like of no post",
            "needs " + Post.key(GHOST),
            w -> w.plant(new Like(GHOST, "1", "3", AT))),
        new Fault(
            "comment on no post", "needs " + Post.key(GHOST), w -> w.plant(comment(GHOST, "1"))),
        new Fault(
            "tag of no post",
            "needs " + Post.key(GHOST),
            w -> {
              var some = w.postOf("1");
              w.plant(new PostTag(GHOST, "tag", "1", AT, some.visibility(), some.feedShards()));
            }),
        new Fault("edge to no account", "needs " + User.key(GHOST), w -> follow(w, "1", GHOST)),
        new Fault("edge of no account", "needs " + User.key(GHOST), w -> follow(w, GHOST, "3")),
        new Fault(
            "edge that no quota counts",
            FollowQuota.key("2") + " says 1, counted are 2",
            w -> w.plant(Follow.adopted("2", "1", AT))),
        new Fault(
            "block that the other side does not know",
            "USER#3 / BLOCK#2 is not known on the other side",
            w -> w.plant(new Block("3", "2", AT))),
        new Fault(
            "block of nobody, known on the other side",
            "USER#3 / BLOCKEDBY#1 has no block on the other side",
            w -> w.plant(new BlockedBy("3", "1", AT))),
        new Fault(
            "edges across a block",
            "has the edge " + Follow.key("1", "2"),
            w -> {
              var block = new Block("2", "1", AT);
              w.plant(block);
              w.plant(block.mirrored());
            }),
        new Fault(
            "special follow that the followee's list lacks",
            Follow.key("1", "3") + " is special, and its row says otherwise",
            w -> {
              mark(w);
              w.steal(SpecialFollower.key("1", "3"));
            }),
        new Fault(
            "special follow that the quota does not name",
            Follow.key("1", "3") + " is special, and its quota says otherwise",
            w -> {
              mark(w);
              w.remove(FollowQuota.key("1"), "special");
            }),
        new Fault(
            "special follower of no special follow",
            SpecialFollower.key("1", "3") + " says special of " + Follow.key("1", "3"),
            w -> w.plant(new SpecialFollower("1", "3", AT))),
        new Fault(
            "quota that names no special follow",
            FollowQuota.key("1") + " says special of " + Follow.key("1", "3"),
            w -> {
              mark(w);
              w.steal(SpecialFollower.key("1", "3"));
              w.remove(Follow.key("1", "3"), Follow.SPECIAL_SINCE);
            }),
        new Fault(
            "notification of a post that nobody would take back",
            "is not noted at",
            w -> w.plant(told(w.postOf("3")).notification())),
        new Fault(
            "post that was noted and not told",
            "has not reached its reader",
            w -> {
              mark(w);
              w.plant(told(w.postOf("3")));
            }),
        new Fault(
            "post that is told and gone",
            "which others must not see",
            w -> {
              var told = new Announcement(GHOST, "1", "3", AT, told(w.postOf("3")).expiresAt());
              w.plant(told);
              w.plant(told.notification());
            }),
        new Fault(
            "quota of no account",
            "needs " + User.key(GHOST),
            w -> w.plant(new FollowQuota(GHOST, 3, 5))));
  }

  /** Those that a person has to decide about. */
  static List<Fault> left() {
    return List.of(
        new Fault(
            "row of an unknown kind",
            "Nobody knows the entity type",
            w -> w.set(entry(w).key(), RowKind.ATTRIBUTE, text("ALIEN"))),
        new Fault(
            "row of no kind",
            "Nobody knows the entity type",
            w -> w.put(KeyAttributes.of(new Key("no", "kind")))),
        new Fault(
            "row that lacks something",
            "User lacks display_name",
            w -> w.remove(User.key("2"), User.DISPLAY_NAME)),
        new Fault(
            "post that lacks what an index shows",
            "Post lacks feed_shards",
            w -> w.remove(w.postOf("3").key(), "feed_shards")),
        new Fault(
            "row of another type of value",
            "unreadable followers_count",
            w -> w.set(User.key("2"), User.FOLLOWERS_COUNT, text("many"))),
        new Fault(
            "row that no key can be made of",
            "A key part has",
            w -> w.set(tag(w.postOf("1")).key(), "tag", text("a#b"))),
        new Fault(
            "row at a place of another",
            "says that it belongs at " + User.key("9"),
            w -> w.set(User.key("2"), "user_id", text("9"))),
        new Fault(
            "like of no account",
            "needs " + User.key(GHOST),
            w -> w.plant(new Like(w.postOf("2").postId(), GHOST, "2", AT))),
        new Fault(
            "comment of no account",
            "needs " + User.key(GHOST),
            w -> w.plant(comment(w.postOf("2").postId(), GHOST))),
        new Fault(
            "notification of no account",
            "needs " + User.key(GHOST),
            w -> {
              var n = notification(w);
              w.plant(
                  new Notification(
                      GHOST,
                      n.notificationId(),
                      n.type(),
                      n.actorId(),
                      n.postId(),
                      n.createdAt(),
                      false,
                      n.expiresAt()));
            }),
        new Fault(
            "history of no account",
            "needs " + User.key(GHOST),
            w -> w.plant(new KeptHistory("1", GHOST, AT, AT))),
        new Fault(
            "block of no account",
            "needs " + User.key(GHOST),
            w -> {
              var block = new Block("1", GHOST, AT);
              w.plant(block);
              w.plant(block.mirrored());
            }),
        new Fault(
            "mute of no account",
            "needs " + User.key(GHOST),
            w -> w.plant(Mute.of("1", GHOST, AT, null))),
        new Fault(
            "two accounts of one handle",
            "has the handle user_1, which 1 claims",
            w -> w.plant(User.registered("4", "user_1", "Four", null, AT))));
  }

  /** An entry that is owed: 1 follows 3. */
  static FeedEntry entry(World world) {
    return FeedEntry.of(world.postOf("3").ref(), "1");
  }

  private static Notification notification(World world) {
    return new Notifications(world.table(), Clock.systemUTC())
        .all("3", PageRequest.first(1))
        .items()
        .getFirst();
  }

  static void mark(World world) {
    var follows = new FollowWrites(world.table(), 100);
    new SpecialWrites(world.table(), follows, 1).mark("1", "3", AT);
  }

  /** Reader 1 was told of it. */
  static Announcement told(Post post) {
    return new Announcement(
        post.postId(),
        "1",
        post.authorId(),
        post.createdAt(),
        now().plus(Duration.ofDays(1)).getEpochSecond());
  }

  private static PostTag tag(Post post) {
    return PostTag.of(post, post.tags().getFirst());
  }

  /** What somebody gained in the month in which everybody came. */
  private static TopAuthor gained(World world, String userId) {
    var at = world.edge("1", userId).createdAt();
    return (TopAuthor) world.row(TopAuthor.key(at, userId));
  }

  private static String hour(World world) {
    return TagTrend.hour(world.postOf("1").createdAt());
  }

  /** Uses in the last hours. */
  private static Map<String, Long> everyHour(World world, int hours) {
    var last = world.postOf("1").createdAt();
    return IntStream.range(0, hours)
        .mapToObj(ago -> TagTrend.hour(last.minus(Duration.ofHours(ago))))
        .collect(Collectors.toMap(hour -> hour, _ -> 5L));
  }

  /** The one row in which the tag of a post is counted: there is one shard. */
  private static TagTrend trend(World world) {
    var tag = world.postOf("1").tags().getFirst();
    var keys =
        IntStream.range(0, TagTrend.SPREAD)
            .mapToObj(spread -> TagTrend.empty(6, tag, spread).key())
            .toList();
    return (TagTrend) world.table().getAll(keys, true).getFirst();
  }

  private static long uses(World world) {
    return trend(world).uses().getOrDefault(hour(world), 0L);
  }

  private static Comment comment(String postId, String author) {
    return new Comment(postId, TimeOrderedId.named(AT, postId, author), author, "3", "Hm", AT);
  }

  private static void follow(World world, String follower, String followee) {
    new FollowWrites(world.table(), 100).adopt(List.of(Follow.adopted(follower, followee, AT)));
  }

  private static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }

  private static AttributeValue text(String value) {
    return AttributeValue.fromS(value);
  }
}
