package social.feed.bounds;

import static social.feed.bounds.PopulationRows.claim;
import static social.feed.bounds.PopulationRows.numbered;
import static social.feed.bounds.PopulationRows.post;
import static social.feed.bounds.PopulationRows.tagged;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import social.feed.search.SearchIndex;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Block;
import social.feed.table.row.Comment;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Inbox;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Picture;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostTag;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.Visibility;
import social.feed.testkit.SamplePosts;

/**
 * The rows of a world, written in bulk instead of by requests. All ids have a fixed width, so a row
 * has the same size in every world.
 *
 * <p>{@code subject} is the account of most requests, {@code target} the account that requests
 * name. The knobs of accounts and posts turn for both; the two share no followed accounts, no
 * followers and no blocks.
 */
final class Population {
  static final String SUBJECT = "subject";
  static final String TARGET = "target";

  /** Follows every celebrity. */
  static final String FAN = "fan";

  /** An author all of whose followers are special ones. */
  static final String LOVED = "loved";

  static final String TAG = "sea";
  static final int FEED_SHARDS = 4;

  /** The most checkpoints of a counter: those of a day and a margin. */
  private static final int CHECKPOINTS = 8;

  private static final int TAGS = 10;
  private static final int AUTHORS = 10;
  private static final int ROWS_OF_OTHER = 4;

  /** Posts with each tag in the last hours. */
  private static final int USES = 4;

  /** Accounts that block the subject for some operations. */
  private static final int PUPPETS = 20;

  /** Writes what the subject likes. */
  private static final String IDOL = "idol";

  /** Writes posts with tags, and has no followers. */
  private static final String TAGGER = "tagger";

  static final long LATER = 4_000_000_000L;

  final Instant now = withinItsHour(Instant.now().truncatedTo(ChronoUnit.MILLIS));
  // Everything but the latest uses of tags happens on one day, and so in one month.
  private final Instant registered = now.minus(Duration.ofDays(5)).truncatedTo(ChronoUnit.DAYS);
  private final PopulationRows rows = new PopulationRows(registered);
  private final Instant firstEdge = registered.plus(Duration.ofHours(1));

  /** The newest post. Its author's followers came later, so their feeds lack it. */
  private final Instant start = registered.plus(Duration.ofHours(16));

  private final Instant firstFollower = start.plus(Duration.ofHours(1));
  private final Instant firstLike = start.plus(Duration.ofHours(2));

  /** In the hour of fresh posts, so that their tags have rows, also while an hour begins. */
  private final Instant lastUse = now.truncatedTo(ChronoUnit.HOURS);

  private final Map<Knob, Integer> sizes;
  private final Table table;
  private final BulkRows bulk;
  private final List<Row> temporary = new ArrayList<>();
  private int fresh;

  Population(Map<Knob, Integer> sizes, Table table, SearchIndex search) {
    this.sizes = sizes;
    this.table = table;
    this.bulk = new BulkRows(table, search);
  }

  /** The month in which all followers are gained: this one or the one before. */
  private String month() {
    return Keys.month(registered);
  }

  /** A time after all bulk rows, in the month of the rankings. */
  Instant later() {
    return start.plus(Duration.ofHours(3));
  }

  /** Returns the same time, or an earlier one, so that fresh posts are of the same hour. */
  private static Instant withinItsHour(Instant time) {
    var latest = time.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofMinutes(59));
    return time.isBefore(latest) ? time : latest;
  }

  int size(Knob knob) {
    return sizes.getOrDefault(knob, knob.small());
  }

  void load() {
    subjects();
    celebrities();
    others();
    followed();
    followers();
    specials();
    feed();
    unread();
    likes();
    liked();
    blocks();
    trends();
    bulk.flush();
  }

  // The accounts and posts that all requests are about

  private void subjects() {
    for (var id : List.of(SUBJECT, TARGET)) {
      bulk.add(
          rows.user(id, size(Knob.FOLLOWERS), size(Knob.FOLLOWED), size(Knob.POSTS) + 1, marks()),
          claim(id));
      bulk.add(new FollowQuota(id, size(Knob.FOLLOWED), size(Knob.FOLLOWED)));
      bulk.add(FeedActivity.at(id, now));
      bulk.add(
          TopAuthor.empty(month(), id)
              .plus(Map.of(TopAuthor.GAINED, (long) size(Knob.FOLLOWERS)), marks()));
      for (int i = 0; i < size(Knob.POSTS); i++) {
        var post = tagged(id, start.minusSeconds(1 + i), TAG, Visibility.PUBLIC);
        bulk.add(post, PostTag.of(post, TAG), FeedEntry.of(post.ref(), id));
      }
    }
    for (var post : List.of(subjectsPost(), targetsPost())) {
      bulk.add(post, PostTag.of(post, TAG), FeedEntry.of(post.ref(), post.authorId()));
    }
    bulk.add(FanOutPlan.served(subjectsPost().postId(), 1, 0, now, LATER));
    for (int i = 0; i < size(Knob.COMMENTS); i++) {
      bulk.add(comment(targetsPost(), i));
    }
  }

  /** The post of the subject that has likes, and counts of every stream shard. */
  Post subjectsPost() {
    return liked(SUBJECT, 0);
  }

  /** The same of the target. */
  Post targetsPost() {
    return liked(TARGET, size(Knob.COMMENTS));
  }

  private Post liked(String author, int comments) {
    var post = tagged(author, start, TAG, Visibility.PUBLIC);
    return SamplePosts.like(post).likes(size(Knob.LIKES)).comments(comments).marks(marks()).build();
  }

  // The knobs

  private void celebrities() {
    bulk.add(rows.user(FAN, 0, size(Knob.CELEBRITIES), 0), claim(FAN), FeedActivity.at(FAN, now));
    bulk.add(new FollowQuota(FAN, size(Knob.CELEBRITIES), size(Knob.CELEBRITIES)));
    for (int i = 0; i < size(Knob.CELEBRITIES); i++) {
      var id = numbered("celebrity", i);
      bulk.add(
          rows.celebrity(id), claim(id), PulledAuthor.from(id, registered).flipped(true, 1, now));
      isFollowed(FAN, id, firstEdge.plusSeconds(i));
    }
  }

  /** The ids of all celebrities. */
  List<String> celebrityIds() {
    return IntStream.range(0, size(Knob.CELEBRITIES))
        .mapToObj(i -> numbered("celebrity", i))
        .toList();
  }

  private void others() {
    for (int i = 0; i < size(Knob.OTHERS) / ROWS_OF_OTHER; i++) {
      var id = numbered("other", i);
      var post = post(id, start.minusSeconds(i));
      bulk.add(rows.user(id, 0, 0, 1), claim(id), post, FeedEntry.of(post.ref(), id));
    }
  }

  private void followed() {
    for (int i = 0; i < size(Knob.FOLLOWED); i++) {
      int posts = i < AUTHORS ? Math.ceilDiv(size(Knob.FEED) - i, AUTHORS) : 0;
      follows(SUBJECT, numbered("author", i), i, posts);
      follows(TARGET, numbered("writer", i), i, 0);
    }
  }

  private void follows(String reader, String author, int number, int posts) {
    bulk.add(rows.user(author, 1, 0, posts), claim(author));
    isFollowed(reader, author, firstEdge.plusSeconds(number));
  }

  /** The edge of an only follower, and its place in the ranking. */
  private void isFollowed(String reader, String author, Instant at) {
    bulk.add(Follow.of(reader, author, at));
    bulk.add(TopAuthor.empty(month(), author).plus(Map.of(TopAuthor.GAINED, 1L), Map.of()));
  }

  private void followers() {
    for (int i = 0; i < size(Knob.FOLLOWERS); i++) {
      isFollowedBy(SUBJECT, numbered("follower", i), i);
      isFollowedBy(TARGET, numbered("listener", i), i);
    }
  }

  private void isFollowedBy(String author, String reader, int number) {
    bulk.add(rows.user(reader, 0, 1, 0), claim(reader), new FollowQuota(reader, 1, 1));
    var at = firstFollower.plusMillis(number);
    // As after a backfill that found nothing to deliver.
    bulk.add(new Follow(reader, author, at, at, null, false, null));
  }

  /** The ids of the subject's followers, in the order of their keys. */
  List<String> followersOfSubject() {
    return IntStream.range(0, size(Knob.FOLLOWERS)).mapToObj(i -> numbered("follower", i)).toList();
  }

  private void specials() {
    int number = size(Knob.SPECIALS);
    bulk.add(rows.user(LOVED, number, 0, 0), claim(LOVED));
    if (number > 0) {
      var gained = Map.of(TopAuthor.GAINED, (long) number);
      bulk.add(TopAuthor.empty(month(), LOVED).plus(gained, Map.of()));
    }
    for (int i = 0; i < number; i++) {
      var reader = devotee(i);
      var at = firstFollower.plusMillis(i);
      bulk.add(
          rows.user(reader, 0, 1, 0), claim(reader), new FollowQuota(reader, 1, 1).marking(LOVED));
      bulk.add(
          new Follow(reader, LOVED, at, at, null, false, at),
          new SpecialFollower(reader, LOVED, at));
    }
  }

  /** Returns the id of a special follower; they are in the order of their keys. */
  String devotee(int number) {
    return numbered("devotee", number);
  }

  private void feed() {
    for (int i = 0; i < size(Knob.FEED); i++) {
      var post = feedPost(i);
      bulk.add(post, FeedEntry.of(post.ref(), SUBJECT), FeedEntry.of(post.ref(), post.authorId()));
    }
  }

  /**
   * A post of the subject's feed; number 0 is the newest. It is newer than the post of the subject
   * that it would share a time with. At one time, the hashes of their ids would decide which comes
   * first, and so what a page costs, and these change with the day.
   */
  Post feedPost(int number) {
    return post(numbered("author", number % AUTHORS), start.minusSeconds(number).plusMillis(500));
  }

  private void unread() {
    for (int i = 0; i < size(Knob.UNREAD); i++) {
      bulk.add(unread(i));
    }
    bulk.add(inbox(SUBJECT));
  }

  /** The inbox of an account whose unread notifications were counted once. */
  Inbox inbox(String account) {
    return new Inbox(
        account, size(Knob.UNREAD), marks(), true, null, null, LATER, 1, 1, null, null, null);
  }

  /** Lets the next count of unread notifications of the subject read them. */
  void forgetUnread() {
    put(
        new Inbox(
            SUBJECT, size(Knob.UNREAD), marks(), true, null, null, null, 1, 1, null, null, null));
  }

  /** An unread notification of the subject; number 0 is the newest. */
  Notification unread(int number) {
    return unread(SUBJECT, number, true);
  }

  /** An unread notification; one that is not counted is from before the inbox. */
  Notification unread(String account, int number, boolean isCounted) {
    var at = start.minusSeconds(number);
    return new Notification(
        account,
        TimeOrderedId.named(at, "unread"),
        NotificationType.LIKE,
        numbered("liker", number % AUTHORS),
        subjectsPost().postId(),
        at,
        false,
        LATER,
        isCounted ? true : null);
  }

  private void likes() {
    for (int i = 0; i < size(Knob.LIKES); i++) {
      var liker = numbered("liker", i);
      bulk.add(rows.user(liker, 0, 0, 0), claim(liker));
      bulk.add(like(subjectsPost(), liker, i), like(targetsPost(), liker, i));
    }
  }

  private Like like(Post post, String liker, int number) {
    return new Like(post.postId(), liker, post.authorId(), start.plusMillis(number));
  }

  /** The subject likes posts, all of them later than it or another wrote what its pages show. */
  private void liked() {
    int number = size(Knob.LIKED);
    bulk.add(rows.user(IDOL, 0, 0, number), claim(IDOL));
    for (int i = 0; i < number; i++) {
      var post = SamplePosts.like(post(IDOL, start.minusMillis(i))).likes(1).build();
      bulk.add(post, FeedEntry.of(post.ref(), IDOL));
      bulk.add(new Like(post.postId(), SUBJECT, IDOL, firstLike.plusMillis(i)));
    }
  }

  /** Writes an old post with so many likes that they are spread, until the next operation. */
  Post viralPost() {
    var post = SamplePosts.like(post(FAN, firstEdge)).likes(Post.LIKES_SPREAD_FROM).build();
    putForOne(List.of(post));
    return post;
  }

  private void blocks() {
    for (int i = 0; i < size(Knob.BLOCKS); i++) {
      blocks(SUBJECT, numbered("villain", i), i);
      blocks(TARGET, numbered("rival", i), i);
    }
  }

  private void blocks(String by, String blocked, int number) {
    var block = new Block(by, blocked, firstEdge.plusSeconds(number));
    bulk.add(rows.user(blocked, 0, 0, 0), claim(blocked), block, block.mirrored());
  }

  /** More accounts block the subject than one read unit holds, until the next operation. */
  void blockByMany() {
    for (int i = 0; i < PUPPETS; i++) {
      var block = new Block(numbered("puppet", i), SUBJECT, firstEdge.plusSeconds(i));
      putForOne(List.of(rows.user(block.userId(), 0, 0, 0), block, block.mirrored()));
    }
  }

  /** Each shard counts the uses of a tag in a row of its own. */
  private void trends() {
    bulk.add(rows.user(TAGGER, 0, 0, TAGS * USES), claim(TAGGER));
    for (int i = 0; i < TAGS; i++) {
      var tag = i == 0 ? TAG : numbered("tag", i);
      trend(tag);
      for (int use = 0; use < USES; use++) {
        var at = lastUse.plusMillis((long) USES * i + use);
        var post = tagged(TAGGER, at, tag, Visibility.PUBLIC);
        bulk.add(post, PostTag.of(post, tag), FeedEntry.of(post.ref(), TAGGER));
      }
    }
  }

  private void trend(String tag) {
    var hour = TagTrend.hour(lastUse);
    for (int i = 0; i < size(Knob.SHARDS); i++) {
      bulk.add(uses(tag, shard(i), i == 0 ? USES : 0, Map.of(shard(i), sequence(i))));
    }
    var marks = Map.of(shard(0), sequence(0));
    bulk.add(TagTrend.empty(halfLife(), tag).plus(Map.of(hour, (long) USES), marks));
  }

  /** Returns the uses of a tag in the last hour that one shard brought. */
  TagUses uses(String tag, String shard, long uses, Map<String, String> marks) {
    var hour = TagTrend.hour(lastUse);
    var empty = TagUses.empty(halfLife(), tag, hour, shard);
    return new TagUses(halfLife(), tag, hour, shard, uses, 1, marks, empty.expiresAt());
  }

  private static long halfLife() {
    return TrendingTags.HALF_LIFE.toHours();
  }

  // Rows for single operations

  /** Writes an account that nothing else names, and returns its id. */
  String account() {
    var id = numbered("fresh", ++fresh);
    put(rows.user(id, 0, 0, 0), claim(id), FeedActivity.at(id, now));
    return id;
  }

  /** Returns an id without an account. */
  String unregistered() {
    return numbered("fresh", ++fresh);
  }

  /** Returns a new post of the subject, as at now, which is not written. */
  Post freshPost(Visibility visibility) {
    return freshPost(SUBJECT, visibility);
  }

  /** The same of another author. */
  Post freshPost(String author, Visibility visibility) {
    return tagged(author, now.plusMillis(++fresh), TAG, visibility);
  }

  /**
   * A file of the measured account.
   *
   * @param expiresAt absent for one whose upload was checked
   */
  Media media(@Nullable Long expiresAt) {
    var at = now.plusMillis(++fresh);
    var id = TimeOrderedId.named(at, "media");
    return new Media(
        id, SUBJECT, "image/png", MediaUpload.BYTES, MediaUpload.SHA256, "x", at, 3, 2, expiresAt);
  }

  /** Returns a new account with an avatar, and a file that it can show instead. */
  Media otherAvatar() {
    var id = account();
    var first = file(id, Picture.AVATAR);
    var other = file(id, null);
    put(rows.withAvatar(id, first), first, other);
    return other;
  }

  private Media file(String owner, @Nullable Picture shownAs) {
    var at = now.plusMillis(++fresh);
    return new Media(
        TimeOrderedId.named(at, "media"),
        owner,
        "image/png",
        MediaUpload.BYTES,
        MediaUpload.SHA256,
        "x",
        at,
        3,
        2,
        null,
        null,
        shownAs);
  }

  /** A like of the target's post. */
  Like likeOfTarget(int number) {
    return like(targetsPost(), numbered("liker", number), number);
  }

  /** Writes a post whose likes are spread, with its likes, until the next operation. */
  Post spreadPost() {
    var spread =
        SamplePosts.like(post(FAN, now))
            .likes(size(Knob.LIKES))
            .likeBuckets(Post.LIKE_BUCKETS_OF_A_POST)
            .build();
    temporary.add(spread);
    for (int i = 0; i < size(Knob.LIKES); i++) {
      temporary.add(Like.of(spread, numbered("liker", i), start.plusMillis(i)));
    }
    put(temporary);
    return spread;
  }

  /** Writes rows that are removed after the next operation. */
  void putForOne(Collection<? extends Row> rows) {
    temporary.addAll(rows);
    put(rows);
  }

  /** Removes rows that the next operation writes after it. */
  void removeAfterOne(Collection<? extends Row> rows) {
    temporary.addAll(rows);
  }

  /** Removes what was written for one operation. */
  void reset() {
    table.deleteAll(temporary.stream().map(Row::key).toList());
    temporary.clear();
    put(inbox(SUBJECT));
  }

  Comment comment(Post post, String by, Instant at) {
    return new Comment(
        post.postId(), TimeOrderedId.named(at, by), by, post.authorId(), "Fine!", at);
  }

  private Comment comment(Post post, int number) {
    return comment(post, numbered("liker", number % AUTHORS), start.plusSeconds(number));
  }

  /** The notifications of a post to all special followers, and the records of them. */
  List<Row> notified(Post post) {
    var all = new ArrayList<Row>();
    for (int i = 0; i < size(Knob.SPECIALS); i++) {
      var record =
          new PostNotification(post.postId(), devotee(i), post.authorId(), post.createdAt(), LATER);
      all.add(record);
      all.add(record.notification());
    }
    return all;
  }

  /**
   * Likes and comments of a post, its entries in the feeds of the subject's followers, and
   * notifications of it.
   */
  List<Row> audience(Post post) {
    var all = new ArrayList<Row>();
    for (int i = 0; i < size(Knob.LIKES); i++) {
      all.add(like(post, numbered("liker", i), i));
    }
    for (int i = 0; i < size(Knob.COMMENTS); i++) {
      all.add(comment(post, i));
    }
    followersOfSubject().forEach(reader -> all.add(FeedEntry.of(post.ref(), reader)));
    all.addAll(notified(post));
    return all;
  }

  /** Deletes the erasures that wait for a sweep, so that one is for those that follow. */
  void removePendingErasures() {
    removeErasures(Keys.PENDING_ERASURES);
  }

  /**
   * Deletes the erasures that wait for units, so that the next grants are for those that follow.
   */
  void removeWaitingErasures() {
    removeErasures(Keys.WAITING_ERASURES);
  }

  private void removeErasures(String prefix) {
    table.deleteAll(
        new PartitionQueries(table)
            .keys(Keys.ERASURE_REGISTRY, prefix)
            .flatMap(List::stream)
            .toList());
  }

  void put(Row... all) {
    table.putAll(List.of(all));
  }

  void put(Collection<? extends Row> all) {
    table.putAll(all);
  }

  /** Returns the id of an open stream shard. Every counter has counted the first one. */
  String shard(int number) {
    return shard(number, 0);
  }

  /** Returns the id of a stream shard with successors, which is open for four hours. */
  private String shard(int number, int successors) {
    var created = now.minus(Duration.ofHours(3 + 4L * successors)).plusMillis(number);
    return "shardId-%020d-%08x".formatted(created.toEpochMilli(), number);
  }

  /** Returns a sequence number; those of new records are larger than those of the checkpoints. */
  static String sequence(int number) {
    return "1%020d".formatted(number);
  }

  /** The records of a counter come from one partition key: from a shard and its predecessors. */
  private Map<String, String> marks() {
    var marks = new HashMap<String, String>();
    for (int i = 0; i < Math.min(size(Knob.SHARDS), CHECKPOINTS); i++) {
      marks.put(shard(0, i), sequence(i));
    }
    return marks;
  }
}
