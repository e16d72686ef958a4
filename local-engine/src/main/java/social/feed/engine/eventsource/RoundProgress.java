package social.feed.engine.eventsource;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How far a round is done when its lanes end out of order: a checkpoint may only pass records that
 * are done, and so may only stand at the end of the unbroken head.
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

  /** Returns the last record of the unbroken head if that has grown. */
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
