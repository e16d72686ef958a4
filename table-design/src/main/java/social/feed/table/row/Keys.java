package social.feed.table.row;

import java.time.Instant;
import java.util.Locale;
import social.feed.table.kernel.time.Timestamps;

/**
 * Every key of the table, spelled once. Each value that comes from outside passes {@link #part}, so
 * none can put a separator into a key.
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
  public static final String TOLD = "TOLD#";
  public static final String TOLD_PARTS = "TELL#";
  public static final String KEPT = "KEPT#";
  public static final String BLOCKS = "BLOCK#";
  public static final String MUTES = "MUTE#";

  /** What the sort keys of blocks begin with, whoever made them. */
  public static final String BLOCKS_BOTH_WAYS = "BLOCK";

  public static final String NOTIFICATIONS = "NOTIF#";

  /** The partition of the authors whose posts are pulled. */
  public static final String PULL_REGISTRY = "REGISTRY#PULL";

  /** In place of a month: the accounts by all their followers. */
  public static final String ALL_TIME = "all";

  /** Over so many partitions is each order of authors, and that of tags, spread. */
  public static final int BUCKETS = 8;

  /** Before everything that begins with a time. */
  public static final String FIRST = "0";

  /** After everything that begins with the same. */
  public static final String LAST = "\uffff";

  private static final String TOPS = "TOP#";
  private static final String TRENDS = "TREND#";

  /** Characters of {@code 2026-11}, with which a time begins. */
  public static final int MONTH = 7;

  /** Characters of {@code 2026-11-20T09}, with which a time begins. */
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
    return "HANDLE#" + part(handle.toLowerCase(Locale.ROOT));
  }

  public static String post(String postId) {
    return POSTS + part(postId);
  }

  public static String likesOf(String postId) {
    return post(postId) + "#LIKES";
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

  public static String followee(String userId) {
    return FOLLOWEES + part(userId);
  }

  public static String follower(String userId) {
    return FOLLOWERS + part(userId);
  }

  /** What a special follower's row is at, beside the edges of the followed. */
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
    return "BLOCKEDBY#" + part(userId);
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

  /** The post of a partition that {@link #fanout(String, int)} named. */
  public static String fannedOutPost(String partition) {
    return partition.substring(FANOUTS.length(), partition.lastIndexOf('#'));
  }

  public static String chunk(long number) {
    return CHUNKS + "%06d".formatted(number);
  }

  public static String told(String userId) {
    return TOLD + part(userId);
  }

  public static String toldPart(long number) {
    return TOLD_PARTS + "%06d".formatted(number);
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

  public static String timed(Instant time, String rest) {
    return at(time) + "#" + rest;
  }

  public static String effectMark(String name) {
    return "EVT#" + name;
  }

  public static String idempotency(String userId, String requestKey) {
    return "IDEMP#" + part(userId) + "#" + part(requestKey);
  }

  /** The partition of an erasure, by the hash of the id. */
  public static String erasure(String hash) {
    return "ERASURE#" + part(hash);
  }

  /** The month of a time in UTC. */
  public static String month(Instant time) {
    return at(time).substring(0, MONTH);
  }

  /** The hour of a time in UTC. */
  public static String hour(Instant time) {
    return at(time).substring(0, HOUR);
  }

  /** The inverse of {@link #hour}. */
  public static Instant startOf(String hour) {
    return Timestamps.parse(hour + ":00:00.000Z");
  }

  /** The partition of an account among those of a month. */
  public static String top(String month, String userId) {
    return topBucket(month, KeySharding.of(userId, BUCKETS));
  }

  /** One of the partitions of a month's accounts. */
  public static String topBucket(String month, int bucket) {
    return TOPS + part(month) + "#" + bucket;
  }

  static boolean isTop(String partition) {
    return partition.startsWith(TOPS);
  }

  /** What the partitions of a tag's uses begin with. */
  public static String trend(long halfLifeHours, String tag) {
    return TRENDS + halfLifeHours + "#" + part(tag);
  }

  static boolean isTrend(String partition) {
    return partition.startsWith(TRENDS);
  }

  /** The partition of an index that orders a row among all tags. */
  static String trending(long halfLifeHours, String row) {
    return trendingBucket(halfLifeHours, KeySharding.of(row, BUCKETS));
  }

  /** One of the partitions of the order of tags. */
  public static String trendingBucket(long halfLifeHours, int bucket) {
    return TRENDS + halfLifeHours + "#" + bucket;
  }

  /** A place in an order by a number, which is as wide whatever the number. */
  public static String scored(long score, String rest) {
    if (score < 0 || score > MAX_SCORE) {
      throw new IllegalArgumentException("A score of " + score + " does not fit into a key");
    }
    return "%015d#%s".formatted(score, rest);
  }

  /** The number that {@link #scored} made a place of. */
  public static long score(String place) {
    return Long.parseLong(place.substring(0, place.indexOf('#')));
  }

  /** The account at a place among others. */
  public static String scoredUser(String place) {
    return userOf(place.substring(place.indexOf('#') + 1));
  }

  /** The tag at a place in the order of tags. */
  public static String scoredTag(String place) {
    return place.substring(place.indexOf(TAGS) + TAGS.length());
  }

  /** The account that a key of {@link #user} names. */
  public static String userOf(String key) {
    return key.substring(USERS.length());
  }

  /** After everything in a sort key order that begins with a time. */
  public static String endOf(Instant time) {
    return at(time) + AFTER_SEPARATOR;
  }

  /** The fixed-width time of a key. */
  public static String at(Instant time) {
    return Timestamps.format(time);
  }

  /**
   * A value that may stand in a key.
   *
   * @throws IllegalArgumentException for an empty or over-long one, or one with a {@code #} or a
   *     control character
   */
  public static String part(String value) {
    if (value.isEmpty() || value.length() > MAX_PART || !value.chars().allMatch(Keys::allowed)) {
      throw new IllegalArgumentException(
          "A key part has 1 to 256 characters, no '#' and no control character: '" + value + "'");
    }
    return value;
  }

  private static boolean allowed(int character) {
    return character != '#' && !Character.isISOControl(character);
  }
}
