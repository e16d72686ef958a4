package social.feed.table.kernel.idempotency;

import social.feed.table.row.IdempotencyRecord;

/** How a request with a key ended. */
public sealed interface Recording {
  /** What it creates and its record are there now. */
  record Written() implements Recording {}

  /** The key answered for a request before; nothing changed. */
  record KeyTaken(IdempotencyRecord before) implements Recording {}

  /** Something that it would create is there already; nothing changed. */
  record RowTaken() implements Recording {}
}
