package social.feed.table.row;

import java.util.Map;

/** A row with counters that the stream drives. */
public sealed interface Counted permits User, Post {
  /** Name of the attribute that {@link #marks} is kept in. */
  String MARKS = "marks";

  /**
   * Name of the attribute that says how often a counter was set to what was counted anew; absent
   * until the first time. What was left to a dead letter before is in it.
   */
  static String recounts(String counter) {
    return counter + "_recounts";
  }

  /** For each stream shard the last sequence number that the counters cover. */
  Map<String, String> marks();
}
