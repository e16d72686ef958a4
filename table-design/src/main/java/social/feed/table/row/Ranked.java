package social.feed.table.row;

import java.util.Map;
import java.util.Optional;

/**
 * A row of counts for a ranking. Each write replaces the whole row, on condition of its {@link
 * #revision}. The stream updates it, and its first count creates it.
 */
public sealed interface Ranked permits Ranked.Recountable, TagUses {
  /** Name of the attribute that holds {@link #revision}. */
  String REVISION = "revision";

  /** Returns the row itself. */
  Row row();

  /** Returns how often the row was written; 0 when it does not exist. */
  long revision();

  /** Returns, for each stream shard, the last sequence number that the counts cover. */
  Map<String, String> marks();

  /**
   * Returns the row after changes, with the next revision.
   *
   * @param changes the amount to add to each count
   * @param marks the shard checkpoints that the new counts cover
   */
  Ranked plus(Map<String, Long> changes, Map<String, String> marks);

  /**
   * Returns the row of a count before anything is counted in it.
   *
   * @param counted key of the count, as the plan of effects names it
   * @param shardId the stream shard of the change
   */
  static Optional<Ranked> of(Key counted, String shardId) {
    return TopAuthor.at(counted)
        .<Ranked>map(row -> row)
        .or(() -> TagTrend.at(counted))
        .or(() -> TagUses.at(counted, shardId));
  }

  /** A row whose rank is computed from its counts, each of which can be recounted. */
  sealed interface Recountable extends Ranked permits TopAuthor, TagTrend {
    /** Name of the attribute that holds {@link #recounts}. */
    String RECOUNTS = "recounts";

    /**
     * Returns how often each count was recounted, without those that never were. A recount includes
     * the changes that were left to dead letters before it.
     */
    Map<String, Long> recounts();

    /**
     * Returns the row after a recount, with the next revision and the same checkpoints.
     *
     * @param count the name of the count
     * @param difference the amount that was missing
     */
    Recountable recounted(String count, long difference);

    @Override
    Recountable plus(Map<String, Long> changes, Map<String, String> marks);
  }
}
