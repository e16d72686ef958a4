package social.feed.table.cost;

import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * Costs in request units as functions of sizes. {@code ITEffectCosts}, {@code ITUserActionCosts},
 * {@code ITPulledAuthors}, {@code ITTopAuthors} and {@code ITTrendingTags} compare each with
 * measured units at several sizes: write units exactly, read units to the rounding of pages. {@link
 * #removedPost} is an estimate: at most a third too high, or a tenth too low.
 */
public final class CostFormulas {
  /** Posts that a follow brings into the feed, as deployed. */
  public static final int BACKFILL = 20;

  /** Notifications that are marked as read at once, in the table of costs. */
  public static final int MARKED = 20;

  /** Followers of the author of a post, in the table of costs. */
  public static final int FOLLOWERS = 100;

  /** An audience of this size or more is cut into chunks of this size. */
  public static final int CHUNK = 500;

  /** Bytes of a follow edge whose ids have 36 characters, as those of Cognito. */
  public static final int EDGE_BYTES = 553;

  /** Accounts on a page of a follow list. */
  public static final int LISTED = 20;

  /** Bytes of a follow edge in the index of followed accounts, whose ids have 36 characters. */
  public static final int LISTED_BYTES = 367;

  /** Read units of looking whether the registry of pulled authors has changed. */
  public static final double REGISTRY_REVISION = 0.5;

  /** Read units of an account or a post that is read once for many requests. */
  public static final double SHARED_READ = 0.5;

  /** Write units of a change of place in a ranking: its entry is deleted and written again. */
  public static final double PLACE = 2;

  /** Authors of the registry, with ids of 36 characters, that a read unit covers. */
  private static final double REGISTERED_PER_UNIT = 20;

  /** Bytes that one read unit covers. */
  private static final double READ_BYTES = 4_096;

  /** Unread notifications that an eventually consistent query reads for half a unit. */
  private static final double MARKED_PER_UNIT = 9;

  /** Bytes of the record of a notification of a post. */
  private static final int RECORD_BYTES = 250;

  private CostFormulas() {}

  /**
   * Returns the cost of delivering a post behind the stream, with the count of the author's posts
   * and without tags. All followers read, and followed more than 30 days ago. A small audience is
   * read twice, a large one three times.
   */
  public static ConsumedUnits delivery(long followers) {
    if (followers == 0) {
      return new ConsumedUnits(6, 8);
    }
    if (followers < CHUNK) {
      return new ConsumedUnits(
          5 + followers + 2 * Math.ceil(followers * EDGE_BYTES / READ_BYTES), 8 + 2.0 * followers);
    }
    long chunks = Math.ceilDiv(followers, CHUNK);
    double each = 1 + 3 * EDGE_BYTES / READ_BYTES;
    return new ConsumedUnits(
        5 + 4.5 * chunks + each * followers, 9 + 3.0 * chunks + 2.0 * followers);
  }

  /** Returns the cost of a pulled post behind the stream, whatever the number of followers. */
  public static ConsumedUnits pulledPost() {
    return new ConsumedUnits(6, 6);
  }

  /** Returns what a follower costs a delivery who has not read for 31 days. */
  public static ConsumedUnits absentFollower() {
    return new ConsumedUnits(1 + EDGE_BYTES / READ_BYTES, 0);
  }

  /**
   * Returns the cost of notifying the special followers of a public post's author behind the
   * stream. A post for followers costs {@link #checkedRecipients} as well.
   */
  public static ConsumedUnits specialFollowers(long followers) {
    return new ConsumedUnits(2.5 * followers, 4.0 * followers);
  }

  /**
   * Returns what the notification of special followers costs more for a post that is for followers.
   * It reads the records that it has just written, and the edge of each recipient: an attempt that
   * was cut off may have notified someone who does not follow any more. From {@link #CHUNK} special
   * followers on, one write unit a chunk orders these reads, next to the notification of the rest.
   */
  public static ConsumedUnits checkedRecipients(long followers) {
    return new ConsumedUnits(
        followers + Math.ceil(followers * RECORD_BYTES / READ_BYTES),
        Math.floorDiv(followers, CHUNK));
  }

  /** Returns the cost of the tags of a post behind the stream. */
  public static ConsumedUnits tags(int tags) {
    return tags == 0 ? ConsumedUnits.NONE : new ConsumedUnits(2.0 + tags, 6.0 * tags);
  }

  /**
   * Returns the cost of a follow behind the stream. A post that was delivered in the last hour
   * costs one read unit more, here and in an unfollow.
   */
  public static ConsumedUnits follow(int posts) {
    return posts == 0 ? new ConsumedUnits(7, 10) : new ConsumedUnits(8.5 + posts, 11 + 2.0 * posts);
  }

  /** Returns the cost of an unfollow behind the stream, by the author's posts of 91 days. */
  public static ConsumedUnits unfollow(int posts) {
    return new ConsumedUnits(7.5 + posts, 10 + 2.0 * posts);
  }

  /**
   * Returns the cost of the first page of a list of followers or of followed accounts, none of them
   * cached. It reads one account more than it shows, which says whether there is another page.
   *
   * @param accounts the accounts of the whole list
   */
  public static ConsumedUnits followList(long accounts) {
    long read = Math.min(accounts, LISTED + 1);
    double edges = Math.max(1, Math.ceil(read * LISTED_BYTES / READ_BYTES)) / 2;
    // The caller's blocks are read for the owner of the list, and once more for the accounts.
    return new ConsumedUnits(2 + edges + (read == 0 ? 0 : 1 + read / 2.0), 0);
  }

  /**
   * Returns an estimate of the request units that the removal of a post costs, read and write units
   * together, with what is removed after it.
   *
   * @param entries its entries in feeds
   * @param special notifications of the author's special followers
   * @param replies its likes and comments, each with a notification
   */
  public static double removedPost(long entries, long special, long replies) {
    return 20 + 2.1 * entries + 4.0 * special + 6.0 * replies;
  }

  /**
   * Returns an estimate as {@link #removedPost} for a post that was hidden long before: it is in no
   * feed, and the notifications of special followers are gone.
   *
   * @param records the records of these notifications, which stay with the post
   * @param replies its likes and comments
   */
  public static double removedHiddenPost(long records, long replies) {
    return removedPost(0, 0, replies) + records;
  }

  /** Returns the cost behind the stream of marking up to 90 notifications as read. */
  public static ConsumedUnits readAll(int notifications) {
    return new ConsumedUnits(
        2 + Math.ceil(notifications / MARKED_PER_UNIT) / 2, 3 + 3.0 * notifications);
  }

  /** Returns what a page of 20 posts costs more for pulled authors that its reader follows. */
  public static ConsumedUnits pulledAuthors(double authors) {
    return new ConsumedUnits(authors, 0);
  }

  /** Returns the read units of reading the whole registry of pulled authors. */
  public static double registry(double authors) {
    return Math.max(1, authors / REGISTERED_PER_UNIT);
  }

  /**
   * Returns the read units at most of finding the pulled authors that a reader follows: two for
   * each of the platform, or the list of what the reader follows.
   */
  public static double findPulledAuthors(double celebrities, double followed) {
    return Math.min(2 * celebrities, 2 + followed / 20);
  }
}
