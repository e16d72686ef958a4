package social.feed.engine.eventsource;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tracks the progress of a round whose lanes end out of order. A checkpoint may only pass records
 * that are done. So it is at the last record of the unbroken run of done records from the start of
 * the round.
 */
final class RoundProgress {

  private final List<BatchRecord> round;
  private final Map<String, Integer> positions = new HashMap<>();
  private final BitSet done = new BitSet();
  private int head;

  RoundProgress(List<BatchRecord> round) {
    this.round = round;
    for (int i = 0; i < round.size(); i++) {
      positions.put(round.get(i).sequenceNumber(), i);
    }
  }

  /**
   * Marks the records as done. Returns the last record of the unbroken head if the head has grown.
   */
  Optional<BatchRecord> done(List<BatchRecord> records) {
    records.forEach(record -> done.set(positions.getOrDefault(record.sequenceNumber(), 0)));
    int grown = done.nextClearBit(head);
    if (grown == head) {
      return Optional.empty();
    }
    head = grown;
    return Optional.of(round.get(head - 1));
  }
}
