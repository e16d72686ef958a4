package social.feed.table.row;

import java.util.Map;

/** A row with counters that the stream updates. */
public sealed interface Counted permits User, Post, Inbox, Fence {
  /** Name of the attribute that holds {@link #marks}. */
  String MARKS = "marks";

  /** Suffix of the attributes that {@link #recounts} names. */
  String RECOUNTS = "_recounts";

  /**
   * Returns the name of the attribute that holds how often a counter was recounted from its rows.
   * It is absent until the first recount. A recount includes the changes that were left to dead
   * letters before it.
   */
  static String recounts(String counter) {
    return counter + RECOUNTS;
  }

  /** Returns, for each stream shard, the last sequence number that the counters cover. */
  Map<String, String> marks();
}
