package social.feed.engine.eventsource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.Record;

/** The records that passed the filter and are not delivered yet. */
final class BatchBuffer {

  /** Lambda's limit for the payload of a call. */
  private static final long MAX_BYTES = 6L << 20;

  private final EventSourceMapping mapping;
  private final LambdaRecords converter;
  private final Deque<BatchRecord> records = new ArrayDeque<>();
  private long bytes;

  BatchBuffer(EventSourceMapping mapping, String streamArn) {
    this.mapping = mapping;
    this.converter = new LambdaRecords(streamArn);
  }

  void add(List<Record> page) {
    for (Record each : page) {
      BatchRecord record = new BatchRecord(converter.toLambda(each));
      if (mapping.filter().test(record.record())) {
        records.add(record);
        bytes += record.sizeBytes();
      }
    }
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  boolean isFull() {
    return records.size() >= roundSize() || bytes >= MAX_BYTES;
  }

  private int roundSize() {
    return mapping.batchSize() * mapping.parallelizationFactor();
  }

  /**
   * Removes and returns the next round for all lanes together; at least one record unless the
   * buffer is empty.
   */
  List<BatchRecord> takeRound() {
    List<BatchRecord> round = new ArrayList<>();
    while (!records.isEmpty() && round.size() < roundSize()) {
      BatchRecord record = records.remove();
      bytes -= record.sizeBytes();
      round.add(record);
    }
    return List.copyOf(round);
  }

  /** Splits the records of a lane into calls of at most the batch size and 6 MB. */
  List<List<BatchRecord>> calls(List<BatchRecord> lane) {
    List<List<BatchRecord>> calls = new ArrayList<>();
    int start = 0;
    long size = 0;
    for (int i = 0; i < lane.size(); i++) {
      size += lane.get(i).sizeBytes();
      if (i > start && (i - start == mapping.batchSize() || size > MAX_BYTES)) {
        calls.add(lane.subList(start, i));
        start = i;
        size = lane.get(i).sizeBytes();
      }
    }
    if (start < lane.size()) {
      calls.add(lane.subList(start, lane.size()));
    }
    return calls;
  }

  void clear() {
    records.clear();
    bytes = 0;
  }
}
