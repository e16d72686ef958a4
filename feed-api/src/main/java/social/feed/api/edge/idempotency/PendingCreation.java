package social.feed.api.edge.idempotency;

import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import social.feed.table.kernel.store.Transaction;
import social.feed.table.row.Key;
import social.feed.table.row.Row;

/**
 * A creation that is checked and not yet written.
 *
 * @param answer the response after all rows are written
 * @param rows the rows to create; none of them may exist
 * @param forbidden keys at which no row may exist, or none of the rows is created
 * @param more adds other writes to the transaction of the rows
 * @param withoutKey writes the rows without an idempotency key and returns the response, also where
 *     a row exists already
 */
public record PendingCreation(
    Created answer,
    List<Row> rows,
    List<Key> forbidden,
    UnaryOperator<Transaction> more,
    Supplier<Created> withoutKey) {

  /** A creation without forbidden keys. */
  public PendingCreation(Created answer, List<Row> rows, Supplier<Created> withoutKey) {
    this(answer, rows, List.of(), withoutKey);
  }

  /** A creation that writes nothing but its rows. */
  public PendingCreation(
      Created answer, List<Row> rows, List<Key> forbidden, Supplier<Created> withoutKey) {
    this(answer, rows, forbidden, UnaryOperator.identity(), withoutKey);
  }
}
