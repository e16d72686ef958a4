package social.feed.ctl.verify;

import java.util.Optional;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/**
 * A difference between derived data and their source.
 *
 * @param row the row where it was found; checked again after the stream was drained
 * @param problem the difference, in a sentence
 * @param repair the write that removes the difference
 */
record Drift(Key row, String problem, Repair repair) {
  /** Returns a drift as the result of a comparison. */
  static Optional<Drift> at(Row row, String problem, Repair repair) {
    return Optional.of(new Drift(row.key(), problem, repair));
  }
}
