package social.feed.streams.plan;

import java.util.EnumSet;
import java.util.Set;
import social.feed.table.row.RowKind;

/**
 * The two readers that a shard admits. Each wants only some changes, and an event source filters by
 * that, so that the multiplexer's own writes do not come back to it.
 */
public enum Lane {
  /**
   * Counters with a mark a shard: one batch at a time, in windows, so that events name their shard.
   */
  COUNTS(EnumSet.of(RowKind.LIKE, RowKind.COMMENT, RowKind.FOLLOW), EnumSet.noneOf(RowKind.class)),

  /** Everything else, idempotent by key. */
  EFFECTS(
      EnumSet.of(RowKind.POST, RowKind.LIKE, RowKind.COMMENT, RowKind.FOLLOW, RowKind.FOLLOW_QUOTA),
      EnumSet.of(RowKind.FOLLOW_QUOTA));

  private static final String MODIFY = "MODIFY";

  private final Set<RowKind> kinds;
  private final Set<RowKind> modified;

  Lane(Set<RowKind> kinds, Set<RowKind> modified) {
    this.kinds = kinds;
    this.modified = modified;
  }

  /**
   * Whether a change may have effects in this lane.
   *
   * @param eventName {@code INSERT}, {@code MODIFY} or {@code REMOVE}
   */
  public boolean wants(RowKind kind, String eventName) {
    return eventName.equals(MODIFY) ? modified.contains(kind) : kinds.contains(kind);
  }
}
