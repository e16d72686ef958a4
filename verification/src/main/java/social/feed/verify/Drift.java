package social.feed.verify;

import java.util.Optional;
import java.util.Set;
import social.feed.table.counter.Fences.Place;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/**
 * A difference between derived data and their source.
 *
 * @param row the row where it was found; checked again after the stream was drained
 * @param problem the difference, in a sentence
 * @param repair the write that removes the difference
 * @param places where the multiplexer must have passed a fence before the repair is applied, since
 *     a record that it has not applied yet would be counted again; empty for a repair that does not
 *     depend on the stream
 * @param then where it must have passed a fence that was raised after those were passed
 * @param isOfRow whether the row alone decides, so that the repair need not wait for the stream
 */
record Drift(
    Key row, String problem, Repair repair, Set<Place> places, Set<Place> then, boolean isOfRow) {
  Drift(Key row, String problem, Repair repair) {
    this(row, problem, repair, Set.of(), Set.of(), false);
  }

  /** Returns a drift as the result of a comparison. */
  static Optional<Drift> at(Row row, String problem, Repair repair) {
    return Optional.of(new Drift(row.key(), problem, repair));
  }

  /** Returns the drift with the places of its fences. */
  Drift behind(Set<Place> fences) {
    return behind(fences, Set.of());
  }

  /** Returns the drift with the places of its fences, and of those that follow them. */
  Drift behind(Set<Place> fences, Set<Place> following) {
    return new Drift(row, problem, repair, fences, following, isOfRow);
  }

  /** Returns the drift as one of the row alone. */
  Drift ofRow() {
    return new Drift(row, problem, repair, places, then, true);
  }
}
