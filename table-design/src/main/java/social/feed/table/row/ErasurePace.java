package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The pace of all erasures together, and the clock of those that wait: {@code REGISTRY#ERASURES /
 * PACE}. There is one row. The stream delivers each version as the order to grant units to the
 * {@link WaitingErasure} rows whose turn it is, so one row waits and not each erasure.
 *
 * @param dueAt when the next grant may be made: the pace has paid for the ones before
 * @param isRunning whether an order is under way; an erasure that begins to wait starts the clock
 *     otherwise
 * @param revision grows by one with each change, but not when a clock that runs is started again
 */
@StoredAs(RowKind.ERASURE_PACE)
public record ErasurePace(Instant dueAt, boolean isRunning, long revision) implements Row {
  public static final String REVISION = "revision";
  public static final Key KEY = new Key(Keys.ERASURE_REGISTRY, "PACE");

  /** The state before the first erasure, which is never stored. */
  public static final ErasurePace NONE = new ErasurePace(Instant.EPOCH, false, 0);

  /** Returns the clock in the same state with another revision, which orders the grants again. */
  public ErasurePace again() {
    return new ErasurePace(dueAt, isRunning, revision + 1);
  }

  /**
   * Returns the running clock. Time in which no erasure waited pays for nothing. A clock that runs
   * keeps its revision, so that an order of it that is late and not lost is carried out.
   *
   * @param now the earliest time of the next grant
   */
  public ErasurePace started(Instant now) {
    return new ErasurePace(
        dueAt.isAfter(now) ? dueAt : now, true, isRunning ? revision : revision + 1);
  }

  /** Returns the running clock after grants. */
  public ErasurePace granted(Instant next) {
    return new ErasurePace(next, true, revision + 1);
  }

  /** Returns the clock when no erasure waits. What was granted is still to be paid for. */
  public ErasurePace stopped() {
    return new ErasurePace(dueAt, false, revision + 1);
  }

  @Override
  public Key key() {
    return KEY;
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // It belongs to the table as a whole.
    return List.of();
  }
}
