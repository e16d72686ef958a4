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
 * What a history is about. One that has a little of everything seldom has two things at the same
 * time, so most concentrate on one; seeds take turns.
 */
public enum HistoryFocus {
  /** A little of everything. */
  ANYTHING,
  /**
   * All talk is of one post, and counts are suspended; meanwhile their batch comes again, with
   * fewer records or more, and then the late write arrives.
   */
  LATE_WRITES,
  /** While entries are on their way into feeds, readers leave or posts go, and are cleaned up. */
  UNDOING,
  /** Calls fail, and answers are lost; nothing runs beside anything. */
  REFUSALS,
  /** Batches are done in part, and reads see what was. */
  PARTIAL_ANSWERS,
  /** While entries are taken out of feeds, readers follow again or posts are shown again. */
  REDOING,
  /** People do things at the same time: requests are suspended between their calls. */
  MEETINGS,
  /** Weeks pass in which not everybody reads, and nothing is delivered to who does not. */
  ABSENCE,
  /** Accounts are erased while everything else goes on, requests of their own among it. */
  FAREWELLS,
  /** Accounts become celebrities and cease to be, while they write. */
  FAME;

  private static final int OFTEN = 700;
  private static final int SOMETIMES = 300;

  private static final AttributeValue NOTHING = AttributeValue.fromS("");

  /** What is written whole for each count. */
  private static final Set<String> RANKED =
      Set.of(RowKind.TOP_AUTHOR.name(), RowKind.TAG_TREND.name());

  /** Most goes wrong between what was read and the write that follows from it. */
  private static final int WRITES = 6;

  static HistoryFocus of(long seed) {
    return values()[Math.floorMod(seed, values().length)];
  }

  /** Seeds of histories that are about it, from a first one on; endless. */
  public LongStream seedsFrom(long first) {
    return LongStream.iterate(first, seed -> seed + 1).filter(seed -> of(seed) == this);
  }

  /**
   * Of a thousand such calls, during how many others do something.
   *
   * @param usual for a read, where there is a little of everything
   */
  int besidePerThousand(DynamoDbRequest request, int usual) {
    return switch (this) {
      case ANYTHING, ABSENCE, FAREWELLS, FAME -> Faults.isWrite(request) ? WRITES * usual : usual;
      case LATE_WRITES -> isCount(request) ? OFTEN : 0;
      case UNDOING, REDOING -> request instanceof BatchWriteItemRequest ? OFTEN : 0;
      case REFUSALS, PARTIAL_ANSWERS, MEETINGS -> 0;
    };
  }

  /** Of a thousand calls of a request, during how many others do something. */
  int besideRequestPerThousand(DynamoDbRequest request) {
    boolean isBeside = this == MEETINGS || this == FAREWELLS;
    return isBeside && Faults.isWrite(request) ? SOMETIMES : 0;
  }

  /** Whether a call may be one that adds to a count: of an item, or of one that is ranked by it. */
  static boolean isCount(DynamoDbRequest request) {
    return request instanceof UpdateItemRequest
        || (request instanceof PutItemRequest put
            && RANKED.contains(put.item().getOrDefault(RowKind.ATTRIBUTE, NOTHING).s()));
  }
}
