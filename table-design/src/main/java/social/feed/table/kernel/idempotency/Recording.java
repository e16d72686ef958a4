package social.feed.table.kernel.idempotency;

import social.feed.table.row.IdempotencyRecord;

/** How the record of a request was written. */
public sealed interface Recording {
  /** The record and the rows of the request were written. */
  record Written() implements Recording {}

  /** The key has the record of an earlier request; nothing changed. */
  record KeyTaken(IdempotencyRecord before) implements Recording {}

  /** One of the rows exists already, or a forbidden key has an item; nothing changed. */
  record RowTaken() implements Recording {}
}
