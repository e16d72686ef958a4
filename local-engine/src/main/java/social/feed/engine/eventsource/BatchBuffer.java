package social.feed.engine.eventsource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.Record;

/** The records that passed the filter and are not delivered yet. */
final class BatchBuffer {

  /** Lambda's limit for the payload of a call. */
  static final long MAX_BYTES = 6L << 20;

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

  /** Splits records into calls of at most the batch size and 6 MB. */
  List<List<BatchRecord>> calls(List<BatchRecord> round) {
    var batches = new Batches();
    round.forEach(batches::add);
    List<List<BatchRecord>> calls = new ArrayList<>();
    while (!batches.isEmpty()) {
      calls.add(batches.take(mapping.batchSize()));
    }
    return calls;
  }

  void clear() {
    records.clear();
    bytes = 0;
  }

  /** Records in order, which calls take. */
  static final class Batches {
    private final Deque<BatchRecord> records = new ArrayDeque<>();

    void add(BatchRecord record) {
      records.add(record);
    }

    boolean isEmpty() {
      return records.isEmpty();
    }

    void clear() {
      records.clear();
    }

    /** Removes and returns the records of the next call: at most so many and 6 MB, at least one. */
    List<BatchRecord> take(int most) {
      List<BatchRecord> call = new ArrayList<>();
      long size = 0;
      while (!records.isEmpty() && call.size() < most) {
        size += records.element().sizeBytes();
        if (!call.isEmpty() && size > MAX_BYTES) {
          break;
        }
        call.add(records.remove());
      }
      return List.copyOf(call);
    }
  }
}
