package social.feed.table.row;

import java.util.Map;

/** A row with counters that the stream drives. */
public sealed interface Counted permits User, Post {
  /** Name of the attribute that {@link #marks} is kept in. */
  String MARKS = "marks";

  /** For each stream shard the last sequence number that the counters cover. */
  Map<String, String> marks();
}
