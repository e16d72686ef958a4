package social.feed.table.erasure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.Keys;
import social.feed.table.row.WaitingErasure;

/** Reads the erasures that wait for units, and finds those that neither wait nor go on. */
public final class WaitingErasures {
  /**
   * Parts follow each other within seconds unless the lane lags, or the erasure waits for units.
   */
  private static final Duration LATE = Duration.ofHours(1);

  private static final int PAGE = 500;

  private final TableScanner scanner;

  public WaitingErasures(TableScanner scanner) {
    this.scanner = scanner;
  }

  /**
   * Returns those of some erasures whose order may be lost: they are late by an hour, and do not
   * wait for units. An order that only waits for a slow lane looks the same. One read unit for each
   * 4 KB of the rows that wait, if any erasure is late.
   */
  public List<Erasure> stalled(Collection<Erasure> erasures, Instant now) {
    var late = erasures.stream().filter(erasure -> isLate(erasure, now)).toList();
    if (late.isEmpty()) {
      return late;
    }
    var waiting = revisions();
    return late.stream()
        .filter(erasure -> !Long.valueOf(erasure.revision()).equals(waiting.get(erasure.hash())))
        .toList();
  }

  private static boolean isLate(Erasure erasure, Instant now) {
    return erasure.step().isUnderWay() && erasure.lastOrder().plus(LATE).isBefore(now);
  }

  /** The versions that wait, by the hashes of their erasures. An erasure may have an old row. */
  private Map<String, Long> revisions() {
    var revisions = new HashMap<String, Long>();
    for (var row : all()) {
      revisions.merge(row.hash(), row.revision(), Math::max);
    }
    return revisions;
  }

  private List<WaitingErasure> all() {
    var rows = new ArrayList<WaitingErasure>();
    var part = scanner.part(Keys.ERASURE_REGISTRY, Keys.WAITING_ERASURES, PAGE);
    rows.addAll(readable(part));
    while (part.end() != null) {
      part = scanner.part(Keys.ERASURE_REGISTRY, part.end().sort(), PAGE);
      rows.addAll(readable(part));
    }
    return rows;
  }

  private static List<WaitingErasure> readable(TableScanner.Part part) {
    return part.items().stream()
        .filter(item -> item instanceof TableScanner.Stored(_, WaitingErasure _))
        .map(item -> (WaitingErasure) ((TableScanner.Stored) item).row())
        .toList();
  }
}
