package social.feed.verify;

import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
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
 * @param over whether there was no drift after all
 * @param counted how many rows a repair counts, as each further attempt of it does
 */
record Drift(
    Key row,
    String problem,
    Repair repair,
    Set<Place> places,
    Set<Place> then,
    Proof proof,
    Over over,
    long counted) {

  /** Why a repair cannot overwrite a change that is still to come. */
  enum Proof {
    /** The row alone decides, so the repair need not wait for the stream. */
    ROW,
    /** The run waits for the stream between the read and the repair. An index may lag. */
    WAIT,
    /** The fences alone prove it, because all is read strongly consistent. */
    FENCES
  }

  /**
   * Whether data have caught up with what was compared, seen after a further wait for the stream.
   *
   * @param at the row that is read again for it
   * @param isOver decides it
   */
  record Over(Optional<Key> at, Predicate<RelatedRows> isOver) {
    /** For data that do not change all the time, of which a second look says enough. */
    static final Over NEVER = new Over(Optional.empty(), _ -> false);
  }

  Drift(Key row, String problem, Repair repair) {
    this(row, problem, repair, Set.of(), Set.of(), Proof.WAIT, Over.NEVER, 0);
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
    return new Drift(row, problem, repair, fences, following, proof, over, counted);
  }

  /** Returns the drift as one that its row alone decides. */
  Drift byRow() {
    return new Drift(row, problem, repair, places, then, Proof.ROW, over, counted);
  }

  /** Returns the drift as one of a count that fences alone prove. */
  Drift byFences(long rows) {
    return new Drift(row, problem, repair, places, then, Proof.FENCES, over, rows);
  }

  /** Returns the drift as one that may be over, which the row at a key shows. */
  Drift unless(Key at, Predicate<RelatedRows> isOver) {
    return unless(new Over(Optional.of(at), isOver));
  }

  /** Returns the drift as one that may be over, for which more is read than a row. */
  Drift unless(BooleanSupplier isOver) {
    return unless(new Over(Optional.empty(), _ -> isOver.getAsBoolean()));
  }

  private Drift unless(Over other) {
    return new Drift(row, problem, repair, places, then, proof, other, counted);
  }

  boolean isOfRow() {
    return proof == Proof.ROW;
  }

  /** Returns whether a further look can show that there is no drift. */
  boolean mayBeOver() {
    return over != Over.NEVER;
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
