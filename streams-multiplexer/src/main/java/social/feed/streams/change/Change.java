package social.feed.streams.change;

import social.feed.table.row.Row;

/** What happened to an item, as a record of the stream tells it. */
public sealed interface Change {
  /** The item is new. */
  record Inserted(Row row) implements Change {}

  /** The item was there before and is now another. */
  record Modified(Row before, Row after) implements Change {}

  /** The item was deleted by somebody. */
  record Removed(Row row) implements Change {}

  /** The item was removed because its time to live was over. */
  record Expired(Row row) implements Change {}
}
