package social.feed.table.erasure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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

  /** The most rows of an order of the clock. */
  static final int AT_ONCE = 25;

  private static final int PAGE = 500;

  /** A read of very many rows, at a low pace, is followed by a pause of so many times its time. */
  private static final int PAUSES = 10;

  /** The least time until the rows that wait are read again. */
  private static final Duration KEPT = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(WaitingErasures.class);

  private final TableScanner scanner;
  private Versions last = new Versions(Instant.MIN, Map.of());

  public WaitingErasures(TableScanner scanner) {
    this.scanner = scanner;
  }

  /**
   * Returns those of some erasures whose order may be lost: they are late by an hour, and do not
   * wait for units. An order that only waits for a slow lane looks the same. If any erasure is
   * late, one read unit for each 4 KB of the rows that wait, at most once a minute and for a tenth
   * of the time: an erasure that began to wait meanwhile is among the result. Keeps some 200 bytes
   * for each of these rows.
   */
  public synchronized List<Erasure> stalled(Collection<Erasure> erasures, Instant now) {
    var late = erasures.stream().filter(erasure -> isLate(erasure, now)).toList();
    if (late.isEmpty()) {
      return late;
    }
    if (last.readAgain.isBefore(now)) {
      long begin = System.nanoTime();
      var read = revisions();
      var took = Duration.ofNanos(System.nanoTime() - begin);
      var pause = took.multipliedBy(PAUSES);
      last = new Versions(now.plus(took).plus(pause.compareTo(KEPT) < 0 ? KEPT : pause), read);
    }
    var waiting = last.byHash;
    return late.stream()
        .filter(erasure -> !Long.valueOf(erasure.revision()).equals(waiting.get(erasure.hash())))
        .toList();
  }

  private static boolean isLate(Erasure erasure, Instant now) {
    return erasure.step().isUnderWay() && erasure.lastOrder().plus(LATE).isBefore(now);
  }

  /** The versions that waited when they were read, by the hashes of their erasures. */
  private record Versions(Instant readAgain, Map<String, Long> byHash) {}

  /** The versions that wait, by the hashes of their erasures. An erasure may have an old row. */
  private Map<String, Long> revisions() {
    var revisions = new HashMap<String, Long>();
    for (var row : all()) {
      revisions.merge(row.hash(), row.revision(), Math::max);
    }
    return revisions;
  }

  private List<WaitingErasure> all() {
    return pages(PAGE).flatMap(page -> readable(page, false).stream()).toList();
  }

  /**
   * Returns rows that wait in the order of the grants, from none to {@link #AT_ONCE}; none only
   * where no row can be read. A row that cannot be read is left out and logged, so it delays its
   * own erasure only. One read unit for each 4 KB.
   */
  List<WaitingErasure> first() {
    return pages(AT_ONCE)
        .map(page -> readable(page, true))
        .filter(rows -> !rows.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  /** Reads the next page only where the one before was not enough. */
  private Stream<TableScanner.Part> pages(int size) {
    return Stream.iterate(
        scanner.part(Keys.ERASURE_REGISTRY, Keys.WAITING_ERASURES, size),
        Objects::nonNull,
        page ->
            page.end() == null
                ? null
                : scanner.part(Keys.ERASURE_REGISTRY, page.end().sort(), size));
  }

  private static List<WaitingErasure> readable(TableScanner.Part page, boolean isLogged) {
    var rows = new ArrayList<WaitingErasure>();
    for (var item : page.items()) {
      switch (item) {
        case TableScanner.Stored(_, WaitingErasure row) -> rows.add(row);
        case TableScanner.Stored _ -> {}
        case TableScanner.Unreadable other when isLogged ->
            LOG.warn("An erasure gets no units: the item at {} cannot be decoded", other.key());
        case TableScanner.Unreadable _ -> {}
      }
    }
    return rows;
  }
}
