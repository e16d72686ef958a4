package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sweep of the whole table that all pending erasures share: {@code REGISTRY#ERASURES / SWEEP}.
 * There is one row; each sweep replaces the one before. The stream delivers each version as the
 * order to continue.
 *
 * @param number 1 for the first sweep
 * @param step the next step
 * @param startedAt when this sweep began
 * @param lastPending sort key of the last {@link PendingErasure} that takes part
 * @param afterPartition partition key after which the scan continues; absent at its beginning
 * @param afterSort sort key after which the scan continues; absent at its beginning
 * @param dueAt when the scan may continue; absent when it may at once
 * @param revision grows by one with each change, across all sweeps
 */
@StoredAs(RowKind.ERASURE_SWEEP)
public record ErasureSweep(
    long number,
    Step step,
    Instant startedAt,
    String lastPending,
    @Nullable String afterPartition,
    @Nullable String afterSort,
    @Nullable Instant dueAt,
    long revision)
    implements Row {
  public static final String NUMBER = "number";
  public static final String REVISION = "revision";
  public static final Key KEY = new Key(Keys.ERASURE_REGISTRY, "SWEEP");

  /** The state before the first sweep, which is never stored. */
  public static final ErasureSweep NONE =
      new ErasureSweep(0, Step.ENDED, Instant.EPOCH, Keys.FIRST, null, null, null, 0);

  /** The next step of a sweep. */
  public enum Step {
    /** Scans the table and removes what names a pending account. */
    SCANNING,
    /** Ends the erasures for which the scan found nothing; the others wait for the next sweep. */
    CONCLUDING,
    /** The sweep has ended. */
    ENDED
  }

  /**
   * Returns the next sweep.
   *
   * @param lastPending sort key of the last pending erasure that takes part
   */
  public ErasureSweep begun(String lastPending, Instant now) {
    return new ErasureSweep(
        number + 1, Step.SCANNING, now, lastPending, null, null, null, revision + 1);
  }

  /** Returns the sweep after a part of its scan. */
  public ErasureSweep after(Key end, Instant dueAt) {
    return at(Step.SCANNING, end.partition(), end.sort(), dueAt);
  }

  /** Returns the sweep after its scan. */
  public ErasureSweep scanned() {
    return at(Step.CONCLUDING, null, null, null);
  }

  /**
   * Returns the sweep after its end.
   *
   * @param next the time before which the next one must not begin
   */
  public ErasureSweep ended(Instant next) {
    return at(Step.ENDED, null, null, next);
  }

  /** Returns the sweep in the same state with another revision, which orders the step again. */
  public ErasureSweep again() {
    return at(step, afterPartition, afterSort, dueAt);
  }

  private ErasureSweep at(
      Step next, @Nullable String partition, @Nullable String sort, @Nullable Instant due) {
    return new ErasureSweep(
        number, next, startedAt, lastPending, partition, sort, due, revision + 1);
  }

  public boolean isUnderWay() {
    return step != Step.ENDED;
  }

  /** Returns the key after which the scan continues, absent at its beginning. */
  public @Nullable Key position() {
    return afterPartition == null || afterSort == null ? null : new Key(afterPartition, afterSort);
  }

  /** Returns whether the pending erasure at a key takes part in this sweep. */
  public boolean includes(Key pending) {
    return pending.sort().compareTo(lastPending) <= 0;
  }

  @Override
  public Key key() {
    return KEY;
  }

  @Override
  public Set<String> referencedAccounts() {
    // The position may contain ids of accounts, but the next part replaces it.
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // It belongs to the table as a whole.
    return List.of();
  }
}
