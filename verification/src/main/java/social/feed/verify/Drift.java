package social.feed.verify;

import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
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
 * @param proof why the repair cannot overwrite a change that is still to come
 * @param isOver reads again, after a further wait for the stream, whether the data have caught up
 *     with what was compared, so that there was no drift; {@link #NEVER_OVER} for data that do not
 *     change all the time
 */
record Drift(
    Key row,
    String problem,
    Repair repair,
    Set<Place> places,
    Set<Place> then,
    Proof proof,
    BooleanSupplier isOver) {
  /** For data of which a second look says enough. */
  static final BooleanSupplier NEVER_OVER = () -> false;

  /** Why a repair cannot overwrite a change that is still to come. */
  enum Proof {
    /** The row alone decides, so the repair need not wait for the stream. */
    ROW,
    /** The run waits for the stream between the read and the repair. An index may lag. */
    WAIT,
    /** The fences alone prove it, because all is read strongly consistent. */
    FENCES
  }

  Drift(Key row, String problem, Repair repair) {
    this(row, problem, repair, Set.of(), Set.of(), Proof.WAIT, NEVER_OVER);
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
    return new Drift(row, problem, repair, fences, following, proof, isOver);
  }

  /** Returns the drift with another proof. */
  Drift by(Proof other) {
    return new Drift(row, problem, repair, places, then, other, isOver);
  }

  /** Returns the drift as one that may be over. */
  Drift unless(BooleanSupplier over) {
    return new Drift(row, problem, repair, places, then, proof, over);
  }

  boolean isOfRow() {
    return proof == Proof.ROW;
  }

  /** Returns whether a further look can show that there is no drift. */
  boolean mayBeOver() {
    return isOver != NEVER_OVER;
  }

  /**
   * Returns whether a number has passed what was counted after it was read. A number that changes
   * all the time is behind any count of it. A difference that is smaller than what changed between
   * two looks is found only once the row rests.
   *
   * @param before the number, read before the count
   * @param after the number, read after the count and a wait for the stream
   */
  static boolean isPassed(long before, long counted, long after) {
    return before < counted ? counted <= after : after <= counted;
  }
}
