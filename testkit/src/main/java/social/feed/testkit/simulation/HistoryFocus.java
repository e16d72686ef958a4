package social.feed.testkit.simulation;

import java.util.Set;
import java.util.stream.LongStream;
import social.feed.table.row.RowKind;
import social.feed.testkit.fault.Faults;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The kind of difficulty on which a history concentrates. A history with a little of everything
 * rarely has two difficulties at the same time, so most histories have one focus. Consecutive seeds
 * have different focuses.
 */
public enum HistoryFocus {
  /** A little of everything. */
  ANYTHING,
  /**
   * All comments and likes concern one post, and counter updates are suspended. Meanwhile the batch
   * is delivered again, with fewer or more records, and then the late update arrives.
   */
  LATE_WRITES,
  /** While feed entries are being written, readers unfollow or posts are deleted or hidden. */
  UNFOLLOW_DURING_DELIVERY,
  /** Calls fail and answers are lost; no steps run concurrently. */
  FAILED_CALLS,
  /** Batches are processed in part, and reads return old items. */
  PARTIAL_RESPONSES,
  /** While feed entries are being removed, readers follow again or posts are shown again. */
  FOLLOW_DURING_REMOVAL,
  /** Requests run concurrently: API requests are suspended between their calls. */
  CONCURRENT_REQUESTS,
  /** Weeks pass in which some users do not read, and fan-out skips those readers. */
  ABSENCE,
  /**
   * Accounts are erased while all other actions continue, including requests of the same accounts.
   * Posts show files.
   */
  ERASURES,
  /** Accounts become celebrities and stop being celebrities while they post. */
  CELEBRITIES,
  /**
   * Before a call of a handler, what the call reads or writes changes, often with all effects of
   * the change. Many reads are stale.
   */
  RACES;

  private static final int OFTEN = 700;
  private static final int SOMETIMES = 300;

  private static final AttributeValue NOTHING = AttributeValue.fromS("");

  /** Kinds whose rows a counter update replaces with a put. */
  private static final Set<String> RANKED_KINDS =
      Set.of(RowKind.TOP_AUTHOR.name(), RowKind.TAG_TREND.name(), RowKind.TAG_USES.name());

  /**
   * Writes are suspended this many times as often as reads, since most errors occur between a read
   * and the write that depends on it.
   */
  private static final int WRITE_FACTOR = 6;

  static HistoryFocus of(long seed) {
    return values()[Math.floorMod(seed, values().length)];
  }

  /**
   * Returns the seeds of histories with this focus, in ascending order from a first one on;
   * endless.
   */
  public LongStream seedsFrom(long first) {
    return LongStream.iterate(first, seed -> seed + 1).filter(seed -> of(seed) == this);
  }

  /**
   * Returns the number of function calls like this one, in a thousand, during which other steps
   * run.
   *
   * @param usual the number for a read in a history without a special rule
   */
  int interleavedPerThousand(DynamoDbRequest request, int usual) {
    return switch (this) {
      case ANYTHING, ABSENCE, ERASURES, CELEBRITIES ->
          Faults.isWrite(request) ? WRITE_FACTOR * usual : usual;
      case LATE_WRITES -> isCount(request) ? OFTEN : 0;
      case UNFOLLOW_DURING_DELIVERY, FOLLOW_DURING_REMOVAL ->
          request instanceof BatchWriteItemRequest ? OFTEN : 0;
      case RACES -> SOMETIMES;
      case FAILED_CALLS, PARTIAL_RESPONSES, CONCURRENT_REQUESTS -> 0;
    };
  }

  /** Returns the number of API calls like this one, in a thousand, during which other steps run. */
  int interleavedApiCallsPerThousand(DynamoDbRequest request) {
    boolean isInterleaved = this == CONCURRENT_REQUESTS || this == ERASURES;
    return isInterleaved && Faults.isWrite(request) ? SOMETIMES : 0;
  }

  /**
   * Returns whether a call may be a counter update: an update of an item, or a put of a ranked
   * item.
   */
  static boolean isCount(DynamoDbRequest request) {
    return request instanceof UpdateItemRequest
        || (request instanceof PutItemRequest put
            && RANKED_KINDS.contains(put.item().getOrDefault(RowKind.ATTRIBUTE, NOTHING).s()));
  }
}
