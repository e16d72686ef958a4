package social.feed.streams.change;

import social.feed.table.row.Row;

/** A change of an item, decoded from a stream record. */
public sealed interface Change {
  /** The item is new. */
  record Inserted(Row row) implements Change {}

  /** The item existed before and has changed. */
  record Modified(Row before, Row after) implements Change {}

  /** The item was deleted by a caller. */
  record Removed(Row row) implements Change {}

  /** The item was removed because its time to live had passed. */
  record Expired(Row row) implements Change {}
}
