package social.feed.table.access;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.PageRequest;

/** The read access patterns of the table. Each has one method, which is marked {@link Serves}. */
public enum AccessPattern {
  FEED_001("user", "GetItem USER#id / META, strong", null, Order.NONE, 1, 50),
  FEED_002(
      "posts of an author",
      "Query GSI1 USER#id",
      Index.POSTS_BY_AUTHOR,
      Order.NEWEST_FIRST,
      50,
      100),
  FEED_003(
      "home feed",
      "Query GSI3 FEED#id, merged with Query GSI1 USER#id of each pulled author; for posts"
          + " older than the feed, Query GSI1 USER#id of each followed author",
      Index.FEED_BY_USER,
      Order.NEWEST_FIRST,
      50,
      120),
  FEED_004("post", "GetItem POST#id / META, strong", null, Order.NONE, 1, 60),
  FEED_005(
      "likes of a post",
      "Query GSI1 POST#id#LIKES, from 1 000 likes on also POST#id#LIKES#bucket",
      Index.POSTS_BY_AUTHOR,
      Order.NEWEST_FIRST,
      200,
      150),
  FEED_006(
      "comments of a post",
      "Query base POST#id, begins_with(SK, 'COMMENT#')",
      null,
      Order.OLDEST_FIRST,
      200,
      180),
  FEED_007("posts by tag", "Query GSI2 TAG#tag", Index.POSTS_BY_TAG, Order.NEWEST_FIRST, 200, 200),
  FEED_008("followers", "Query GSI_FOL FOLLOWEE#id", Index.FOLLOWERS, Order.NEWEST_FIRST, 500, 250),
  FEED_009(
      "unread notifications",
      "Query GSI_NOTIF USER#id#UNREAD",
      Index.UNREAD,
      Order.NEWEST_FIRST,
      50,
      120),
  FEED_010(
      "top authors of a month",
      "Query GSI1 TOP#month#n, 8 partitions merged",
      Index.POSTS_BY_AUTHOR,
      Order.HIGHEST_FIRST,
      100,
      500),
  FEED_011(
      "following",
      "Query GSI_FOLLOWING FOLLOWER#id",
      Index.FOLLOWING,
      Order.NEWEST_FIRST,
      500,
      250),
  FEED_012(
      "does A follow B, for up to 30 B both ways",
      "BatchGetItem FOLLOWEE#id / FOLLOWER#id, strong",
      null,
      Order.NONE,
      30,
      60),
  FEED_013(
      "all notifications",
      "Query base USER#id, begins_with(SK, 'NOTIF#')",
      null,
      Order.NEWEST_FIRST,
      50,
      120),
  FEED_014(
      "blocks and mutes of a user",
      "Query base USER#id, begins_with(SK, 'BLOCK#' or 'MUTE#'), strong",
      null,
      Order.BY_ID,
      500,
      100),
  FEED_015(
      "trending tags",
      "Query GSI1 TREND#hours#RANKED#n, 8 partitions merged",
      Index.POSTS_BY_AUTHOR,
      Order.HIGHEST_FIRST,
      50,
      500),
  FEED_016(
      "what an account liked",
      "Query GSI2 LIKER#id",
      Index.POSTS_BY_TAG,
      Order.NEWEST_FIRST,
      50,
      120),
  FEED_017(
      "what an account commented",
      "Query GSI2 COMMENTER#id",
      Index.POSTS_BY_TAG,
      Order.NEWEST_FIRST,
      50,
      120),
  FEED_018(
      "media of an account",
      "Query GSI1 USER#id#MEDIA",
      Index.POSTS_BY_AUTHOR,
      Order.NEWEST_FIRST,
      50,
      120),
  FEED_019(
      "suspicious accounts",
      "Query GSI1 SUSPECTS",
      Index.POSTS_BY_AUTHOR,
      Order.HIGHEST_FIRST,
      50,
      200);

  private final String title;
  private final String path;
  private final @Nullable Index index;
  private final Order order;
  private final int maxPage;
  private final int goalMillis;

  AccessPattern(
      String title, String path, @Nullable Index index, Order order, int maxPage, int goalMillis) {
    this.title = title;
    this.path = path;
    this.index = index;
    this.order = order;
    this.maxPage = maxPage;
    this.goalMillis = goalMillis;
  }

  /** Returns the identifier in documents and cursors, such as {@code FEED-003}. */
  public String id() {
    return name().replace('_', '-');
  }

  /** Returns the subject of the pattern. */
  public String title() {
    return title;
  }

  /** Returns the requests of the pattern, with the partition. */
  public String path() {
    return path;
  }

  /** Returns the index of the first request, empty for the table itself. */
  public Optional<Index> index() {
    return Optional.ofNullable(index);
  }

  public Order order() {
    return order;
  }

  /** Returns the maximum number of items in a page. */
  public int maxPage() {
    return maxPage;
  }

  /**
   * Returns the expected 99th percentile of the latency in milliseconds, for DynamoDB in its own
   * region.
   */
  public int goalMillis() {
    return goalMillis;
  }

  /**
   * Rejects a page beyond the maximum. One more item is allowed, with which a caller finds out
   * whether another page follows.
   *
   * @throws IllegalArgumentException when the limit is greater
   */
  public void requireWithin(PageRequest request) {
    if (request.limit() > maxPage + 1) {
      throw new IllegalArgumentException(
          id()
              + " has at most "
              + maxPage
              + " items per page, but the limit is "
              + request.limit());
    }
  }
}
