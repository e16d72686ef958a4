package social.feed.table.row;

import java.util.Map;

/** A row with counters that the stream drives. */
public sealed interface Counted permits User, Post {
  /** Name of the attribute that {@link #marks} is kept in. */
  String MARKS = "marks";

  /** Suffix of the attributes that {@link #recounts} names. */
  String RECOUNTS = "_recounts";

  /**
   * Returns the name of the attribute that holds how often a counter was set to a new count of its
   * rows. It is absent until the first recount. Each recount includes what was left to a dead
   * letter before it.
   */
  static String recounts(String counter) {
    return counter + RECOUNTS;
  }

  /** For each stream shard the last sequence number that the counters cover. */
  Map<String, String> marks();
}
