package social.feed.verify;

import java.time.Clock;
import java.util.List;
import social.feed.table.erasure.WaitingErasures;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.Row;

/**
 * Checks that each erasure before its sweep waits for units, or has gone on within an hour. The
 * record of its order may be lost with a batch that the event source gave up, with a dead letter
 * that was dropped, or with the stream of a table that was restored. The repair orders the part
 * again, at one write unit. An order that only waits for a slow lane is replaced, which does no
 * harm. Where an erasure is late, reads the rows that wait for units, at most once a minute; it is
 * no {@link DerivedRows} because no key of such a row follows from the erasure.
 */
record ErasureOrderCheck(WaitingErasures waiting, Clock clock) implements RowCheck {
  ErasureOrderCheck(TableScanner scanner, Clock clock) {
    this(new WaitingErasures(scanner), clock);
  }

  @Override
  public String name() {
    return "orders of erasures";
  }

  @Override
  public boolean concerns(Row row) {
    return row instanceof Erasure erasure && erasure.step().isUnderWay();
  }

  @Override
  public List<Drift> inspect(List<Row> rows) {
    var erasures = rows.stream().map(Erasure.class::cast).toList();
    return waiting.stalled(erasures, clock.instant()).stream()
        .map(
            erasure ->
                new Drift(
                    erasure.key(),
                    "%s has not gone on since %s, and does not wait for units"
                        .formatted(erasure.key(), erasure.lastOrder()),
                    repairs -> repairs.orderErasureAgain(erasure)))
        .toList();
  }
}
