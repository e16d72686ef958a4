package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import social.feed.table.kernel.time.Timestamps;

/**
 * Every key of the table, spelled once. Each value from outside passes {@link #part}, so no value
 * can add a separator to a key.
 */
public final class Keys {
  /** The sort key of an entity's own item. */
  public static final String META = "META";

  public static final String USERS = "USER#";
  public static final String POSTS = "POST#";
  public static final String COMMENTS = "COMMENT#";
  public static final String LIKES = "LIKE#";
  public static final String TAGS = "TAG#";
  public static final String FOLLOWEES = "FOLLOWEE#";
  public static final String FOLLOWERS = "FOLLOWER#";
  public static final String SPECIALS = "SPECIAL#";
  public static final String FEEDS = "FEED#";
  public static final String FANOUTS = "FANOUT#";
  public static final String CHUNKS = "CHUNK#";
  public static final String POST_NOTIFICATIONS = "TOLD#";
  public static final String POST_NOTIFICATION_CHUNKS = "TELL#";
  public static final String CLEAN_UPS = "CLEANUP#";
  public static final String KEPT = "KEPT#";
  public static final String BLOCKS = "BLOCK#";
  public static final String MUTES = "MUTE#";

  /** Prefix of the sort keys of blocks in both directions. */
  public static final String BLOCKS_BOTH_WAYS = "BLOCK";

  public static final String NOTIFICATIONS = "NOTIF#";

  /** Not between the blocks of an account and its inbox, which one query reads. */
  public static final String DELIVERIES = "RECENT#";

  public static final String MEDIA = "MEDIA#";

  /** The partition of the authors whose posts are pulled. */
  public static final String PULL_REGISTRY = "REGISTRY#PULL";

  /**
   * The partition of the sweep and the pace of erasures, and of the erasures that wait for them.
   */
  public static final String ERASURE_REGISTRY = "REGISTRY#ERASURES";

  /** The partition of the list of webhooks. */
  public static final String WEBHOOK_REGISTRY = "REGISTRY#WEBHOOKS";

  public static final String PENDING_ERASURES = "PENDING#";
  public static final String WAITING_ERASURES = "WAITING#";

  /** The sort key of the row of an account whose follows look abnormal. */
  public static final String SUSPECT = "SUSPECT";

  /** The index partition of all of these rows that are listed. */
  public static final String SUSPECTS = "SUSPECTS";

  /** Replaces the month in the ranking of accounts by all their followers. */
  public static final String ALL_TIME = "all";

  /** Number of partitions of each ranking, of authors and of tags. */
  public static final int BUCKETS = 8;

  /** Sorts before every key that begins with a time. */
  public static final String FIRST = "0";

  /** Suffix that sorts after every key with the same beginning. */
  public static final String LAST = "\uffff";

  private static final String OPENINGS = "OPENING#";
  private static final String HANDLES = "HANDLE#";
  private static final String LIKERS = "LIKER#";
  private static final String COMMENTERS = "COMMENTER#";
  private static final String BLOCKED_BY = "BLOCKEDBY#";
  private static final String REQUESTS = "IDEMP#";
  private static final String WEBHOOKS = "WEBHOOK#";

  /** The parts of keys that the id of a member, or the handle of one, follows. */
  public static final List<String> BEFORE_MEMBERS =
      List.of(
          USERS,
          FOLLOWEES,
          FOLLOWERS,
          SPECIALS,
          FEEDS,
          POST_NOTIFICATIONS,
          LIKES,
          LIKERS,
          COMMENTERS,
          KEPT,
          BLOCKS,
          BLOCKED_BY,
          MUTES,
          HANDLES,
          REQUESTS);

  private static final String TOPS = "TOP#";
  private static final String TRENDS = "TREND#";
  private static final String OF_SHARD = "#SHARD#";
  private static final String FENCES = "#FENCE#";

  /** Length of {@code 2026-11}, the beginning of a time. */
  public static final int MONTH = 7;

  /** Length of {@code 2026-11-20T09:15}, the beginning of a time. */
  private static final int MINUTE = 16;

  /** Length of {@code 2026-11-20T09}, the beginning of a time. */
  private static final int HOUR = 13;

  private static final long MAX_SCORE = 999_999_999_999_999L;

  /** The character that follows the separator. */
  private static final String AFTER_SEPARATOR = "$";

  private static final int MAX_PART = 256;

  private Keys() {}

  public static String user(String userId) {
    return USERS + part(userId);
  }

  public static String unread(String userId) {
    return user(userId) + "#UNREAD";
  }

  public static String handle(String handle) {
    return HANDLES + part(handle.toLowerCase(Locale.ROOT));
  }

  public static String post(String postId) {
    return POSTS + part(postId);
  }

  public static String media(String mediaId) {
    return MEDIA + part(mediaId);
  }

  public static String webhook(String webhookId) {
    return WEBHOOKS + part(webhookId);
  }

  /** Returns the index partition of the files of an account. */
  public static String mediaOf(String userId) {
    return user(userId) + "#MEDIA";
  }

  /** Returns the file of a sort key that begins with a time and a file. */
  static String listedMedia(String sort) {
    return sort.substring(sort.lastIndexOf('#') + 1);
  }

  public static String likesOf(String postId) {
    return post(postId) + "#LIKES";
  }

  /** Returns the index partition of a part of the likes of a post. */
  public static String likesOf(String postId, int bucket) {
    return likesOf(postId) + "#" + bucket;
  }

  public static String tag(String tag) {
    return TAGS + part(tag);
  }

  public static String comment(String commentId) {
    return COMMENTS + part(commentId);
  }

  public static String like(String userId) {
    return LIKES + part(userId);
  }

  /** Returns the index partition of the likes of an account. */
  public static String liker(String userId) {
    return LIKERS + part(userId);
  }

  /** Returns the index partition of the comments of an account. */
  public static String commenter(String userId) {
    return COMMENTERS + part(userId);
  }

  /** Returns the sort key of a comment among those of its author. */
  static String commented(Instant createdAt, String postId, String commentId) {
    return timed(createdAt, post(postId)) + "#" + comment(commentId);
  }

  /** Returns the comment of a sort key that {@link #commented} made. */
  static String engagedComment(String sort) {
    return sort.substring(sort.lastIndexOf('#') + 1);
  }

  /** Returns the post of a sort key that begins with a time and a post. */
  public static String engagedPost(String sort) {
    int start = sort.indexOf('#') + 1 + POSTS.length();
    int end = sort.indexOf('#', start);
    return end < 0 ? sort.substring(start) : sort.substring(start, end);
  }

  /** Returns the time of a sort key that begins with one, as {@link #timed} makes it. */
  public static Instant timeOf(String sort) {
    return Timestamps.parse(sort.substring(0, sort.indexOf('#')));
  }

  static String opening(String hash) {
    return OPENINGS + part(hash);
  }

  public static String followee(String userId) {
    return FOLLOWEES + part(userId);
  }

  public static String follower(String userId) {
    return FOLLOWERS + part(userId);
  }

  /**
   * Returns the sort key of a special follower, in the partition of the follow edges of the
   * followee.
   */
  public static String special(String userId) {
    return SPECIALS + part(userId);
  }

  public static String kept(String authorId) {
    return KEPT + part(authorId);
  }

  public static String block(String userId) {
    return BLOCKS + part(userId);
  }

  public static String blockedBy(String userId) {
    return BLOCKED_BY + part(userId);
  }

  public static String mute(String userId) {
    return MUTES + part(userId);
  }

  public static String fanout(String postId) {
    return FANOUTS + part(postId);
  }

  public static String fanout(String postId, int shard) {
    return fanout(postId) + "#" + shard;
  }

  /** Returns the post of a partition that {@link #fanout(String, int)} made. */
  public static String fannedOutPost(String partition) {
    return partition.substring(FANOUTS.length(), partition.lastIndexOf('#'));
  }

  public static String chunk(long number) {
    return CHUNKS + "%06d".formatted(number);
  }

  public static String postNotification(String userId) {
    return POST_NOTIFICATIONS + part(userId);
  }

  public static String postNotificationChunk(long number) {
    return POST_NOTIFICATION_CHUNKS + "%06d".formatted(number);
  }

  public static String feed(String readerId) {
    return FEEDS + part(readerId);
  }

  public static String feedSort(Instant createdAt, int shard, String postId) {
    return at(createdAt) + "#" + shard + "#" + post(postId);
  }

  public static String notification(Instant createdAt, String notificationId) {
    return NOTIFICATIONS + unreadSort(createdAt, notificationId);
  }

  public static String unreadSort(Instant createdAt, String notificationId) {
    return at(createdAt) + "#" + part(notificationId);
  }

  /** Returns the sort key of the delivery of a post that began in a minute. */
  static String delivered(Instant deliveredAt, String postId) {
    return deliveredSince(deliveredAt) + "#" + post(postId);
  }

  /** Returns a sort key before those of all deliveries since the minute of a time. */
  public static String deliveredSince(Instant since) {
    return DELIVERIES + at(since).substring(0, MINUTE);
  }

  public static String timed(Instant time, String rest) {
    return at(time) + "#" + rest;
  }

  public static String effectMark(String name) {
    return "EVT#" + name;
  }

  public static String idempotency(String userId, String requestKey) {
    return REQUESTS + part(userId) + "#" + part(requestKey);
  }

  /** Returns the partition of an erasure, by the hash of the id. */
  public static String erasure(String hash) {
    return "ERASURE#" + part(hash);
  }

  /** Returns the sort key of an erasure that waits for the sweep after one with a number. */
  static String pendingErasure(long sweep, String hash) {
    return PENDING_ERASURES + "%012d#%s".formatted(sweep, part(hash));
  }

  /** Returns the sort key of an erasure that waits for units, which begins with their sum. */
  static String waitingErasure(long total, String hash) {
    return WAITING_ERASURES + "%015d#%s".formatted(total, part(hash));
  }

  /**
   * Returns the sort key of a fence, which lies in front of all other sort keys of its partition or
   * behind them.
   */
  static String fence(String name, boolean last) {
    return (last ? "Z" : FIRST) + FENCES + part(name);
  }

  static boolean isFence(String sort) {
    return sort.startsWith(FIRST + FENCES) || sort.startsWith("Z" + FENCES);
  }

  /** Returns the account whose profile or followers are in a partition. */
  static Optional<String> accountOf(String partition) {
    return Stream.of(USERS, FOLLOWEES)
        .filter(partition::startsWith)
        .map(prefix -> partition.substring(prefix.length()))
        .findAny();
  }

  /** Returns the month of a time in UTC. */
  public static String month(Instant time) {
    return at(time).substring(0, MONTH);
  }

  /** Returns the hour of a time in UTC. */
  public static String hour(Instant time) {
    return at(time).substring(0, HOUR);
  }

  /** Returns the beginning of an hour, the inverse of {@link #hour}. */
  public static Instant startOf(String hour) {
    return Timestamps.parse(hour + ":00:00.000Z");
  }

  /** Returns the partition of an account in the ranking of a month. */
  public static String top(String month, String userId) {
    return topBucket(month, KeySharding.of(userId, BUCKETS));
  }

  /** Returns one of the partitions of the ranking of a month. */
  public static String topBucket(String month, int bucket) {
    return TOPS + part(month) + "#" + bucket;
  }

  static boolean isTop(String partition) {
    return partition.startsWith(TOPS);
  }

  /** Returns the partition of a tag's uses. */
  public static String trend(long halfLifeHours, String tag) {
    return TRENDS + halfLifeHours + "#" + part(tag);
  }

  static boolean isTrend(String partition) {
    return partition.startsWith(TRENDS);
  }

  /** Returns the sort key of the uses of an hour that a stream shard brought. */
  static String uses(String hour, String shardId) {
    return hour + OF_SHARD + part(shardId);
  }

  /** Returns the hour of a key that {@link #trend} and {@link #uses} made; empty for any other. */
  public static Optional<String> hourOfUses(Key key) {
    return isTrend(key.partition()) && key.sort().indexOf(OF_SHARD) >= HOUR
        ? Optional.of(key.sort().substring(0, HOUR))
        : Optional.empty();
  }

  /** Returns the index partition that ranks a tag. */
  static String trending(long halfLifeHours, String tag) {
    return trendingBucket(halfLifeHours, KeySharding.of(tag, BUCKETS));
  }

  /** Returns one of the partitions of the ranking of tags. */
  public static String trendingBucket(long halfLifeHours, int bucket) {
    return TRENDS + halfLifeHours + "#RANKED#" + bucket;
  }

  /** Returns a sort key in a ranking: the number, padded to a fixed width, and the rest. */
  public static String scored(long score, String rest) {
    if (score < 0 || score > MAX_SCORE) {
      throw new IllegalArgumentException(
          "Score " + score + " does not fit into a key; it must be from 0 to " + MAX_SCORE);
    }
    return "%015d#%s".formatted(score, rest);
  }

  /** Returns the number of a sort key that {@link #scored} made. */
  public static long score(String place) {
    return Long.parseLong(place.substring(0, place.indexOf('#')));
  }

  /** Returns the account of a sort key in a ranking. */
  public static String scoredUser(String place) {
    return userOf(place.substring(place.indexOf('#') + 1));
  }

  /** Returns the account of a key that {@link #user} made. */
  public static String userOf(String key) {
    return key.substring(USERS.length());
  }

  /** Returns a key that sorts after every key that begins with a time. */
  public static String endOf(Instant time) {
    return at(time) + AFTER_SEPARATOR;
  }

  /** Returns a time in the fixed width of keys. */
  public static String at(Instant time) {
    return Timestamps.format(time);
  }

  /**
   * Returns a value, checked for use in a key.
   *
   * @throws IllegalArgumentException for an empty or overlong value, or one with a {@code #} or a
   *     control character
   */
  public static String part(String value) {
    if (!isPart(value)) {
      throw new IllegalArgumentException(
          "A key part has 1 to 256 characters, no '#' and no control character: '" + value + "'");
    }
    return value;
  }

  /** Returns whether a value can be part of a key. */
  public static boolean isPart(String value) {
    return !value.isEmpty() && value.length() <= MAX_PART && isAllowed(value);
  }

  private static boolean isAllowed(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) == '#' || Character.isISOControl(value.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
