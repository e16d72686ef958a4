package social.feed.api.edge.idempotency;

import java.util.List;
import java.util.function.Supplier;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/**
 * A creation that was checked and not yet written.
 *
 * @param answer to give when all rows were written
 * @param rows what is created, all new
 * @param forbidden where there must be nothing, or none of it is created
 * @param plainly writes them without a request key, and answers for what it finds; a row that was
 *     there already is its business
 */
public record PendingCreation(
    Created answer, List<Row> rows, List<Key> forbidden, Supplier<Created> plainly) {

  /** One that nothing forbids. */
  public PendingCreation(Created answer, List<Row> rows, Supplier<Created> plainly) {
    this(answer, rows, List.of(), plainly);
  }
}
