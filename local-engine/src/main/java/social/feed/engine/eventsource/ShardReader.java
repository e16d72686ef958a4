package social.feed.engine.eventsource;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ExpiredIteratorException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Reads a shard forward, and replaces its iterators when they expire. */
final class ShardReader {

  /** Maximum number of records that one call of the streams API returns. */
  static final int PAGE = 1_000;

  private static final Logger LOG = System.getLogger(ShardReader.class.getName());

  private final DynamoDbStreamsClient streams;
  private final String streamArn;
  private final String shardId;
  private @Nullable String lastRead;
  private @Nullable String iterator;
  private boolean isClosed;
  private boolean ended;

  ShardReader(
      DynamoDbStreamsClient streams, String streamArn, String shardId, @Nullable String after) {
    this.streams = streams;
    this.streamArn = streamArn;
    this.shardId = shardId;
    this.lastRead = after;
  }

  /** Returns the next records, oldest first; none at the tip of the shard or when it has ended. */
  List<Record> read() {
    if (ended) {
      return List.of();
    }
    try {
      return page();
    } catch (ExpiredIteratorException e) {
      iterator = null;
      return page();
    } catch (TrimmedDataAccessException e) {
      return fromTrimHorizon(e);
    } catch (ResourceNotFoundException e) {
      logLoss(lastRead, "the shard no longer exists", e);
      ended = true;
      return List.of();
    }
  }

  /**
   * DynamoDB Local reads the records of a page first and then whether the shard is closed. A record
   * that is written between the two, before the shard is closed, is on no page. So a closed shard
   * has ended where it has nothing behind the last record when it is opened there once more.
   */
  private List<Record> page() {
    boolean wasClosed = isClosed;
    String from = iterator == null ? open() : iterator;
    GetRecordsResponse response = streams.getRecords(get -> get.shardIterator(from).limit(PAGE));
    iterator = response.nextShardIterator();
    isClosed |= iterator == null;
    ended = wasClosed && iterator == null && response.records().isEmpty();
    if (!response.records().isEmpty()) {
      lastRead = response.records().getLast().dynamodb().sequenceNumber();
    }
    var records = response.records().stream().filter(record -> !isOfNoItem(record)).toList();
    // An empty answer stands for the tip of the shard, or its end.
    boolean isTip = response.records().isEmpty() && iterator != null;
    return records.isEmpty() && !isTip && !ended ? page() : records;
  }

  /**
   * Whether DynamoDB Local wrote the record for a delete of an item that a concurrent delete had
   * removed. DynamoDB writes none. It has no image, and only such a record has none.
   */
  private static boolean isOfNoItem(Record record) {
    return record.eventName() == OperationType.REMOVE
        && record.dynamodb().streamViewType() == StreamViewType.NEW_AND_OLD_IMAGES
        && !record.dynamodb().hasOldImage();
  }

  private String open() {
    return streams
        .getShardIterator(
            request -> {
              request.streamArn(streamArn).shardId(shardId);
              if (lastRead == null) {
                request.shardIteratorType(ShardIteratorType.TRIM_HORIZON);
              } else {
                request
                    .shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
                    .sequenceNumber(lastRead);
              }
            })
        .shardIterator();
  }

  /**
   * DynamoDB Local refuses to read a shard while all its records are older than a day, also from
   * its beginning. Then there is nothing to read. If it has a later record by now, it can be read
   * as before, unless records between are gone.
   */
  private List<Record> fromTrimHorizon(TrimmedDataAccessException cause) {
    var after = lastRead;
    try {
      var first = pageAfter(null);
      if (after == null) {
        LOG.log(
            Level.DEBUG,
            "The beginning of shard {0} was trimmed before its first record was read. It is opened"
                + " at its beginning again, so nothing is skipped: {1}",
            shardId,
            cause.getMessage());
        return first;
      }
    } catch (TrimmedDataAccessException e) {
      lastRead = after;
      iterator = null;
      return List.of();
    }
    try {
      return pageAfter(after);
    } catch (TrimmedDataAccessException e) {
      logLoss(after, "records were not read before the stream trimmed them", e);
      return pageAfter(null);
    }
  }

  private List<Record> pageAfter(@Nullable String record) {
    lastRead = record;
    iterator = null;
    return page();
  }

  private void logLoss(@Nullable String after, String what, Exception cause) {
    LOG.log(
        Level.ERROR,
        "Data is lost: after record {0} of shard {1} of {2}, {3}: {4}",
        after,
        shardId,
        streamArn,
        what,
        cause.getMessage());
  }

  /** Returns whether the shard is closed and read to its end. */
  boolean hasEnded() {
    return ended;
  }

  @Nullable String lastRead() {
    return lastRead;
  }
}
