package social.feed.table.row;

import java.util.Map;
import java.util.Optional;

/**
 * A row whose place among others is made of what is counted in it, so it is written whole, on
 * condition of its {@link #revision}. The stream drives it, and its first count creates it.
 */
public sealed interface Ranked permits TopAuthor, TagTrend {
  /** Name of the attribute that {@link #revision} is kept in. */
  String REVISION = "revision";

  /** Name of the attribute that {@link #recounts} is kept in. */
  String RECOUNTS = "recounts";

  /** The row itself. */
  Row row();

  /** How often it was written; 0 when it is not there. */
  long revision();

  /** For each stream shard the last sequence number that the counts cover. */
  Map<String, String> marks();

  /**
   * How often each count was counted anew; none that never was. What was left to a dead letter
   * before is in it.
   */
  Map<String, Long> recounts();

  /**
   * The row after a count was counted anew, with the next revision; what it covers stays.
   *
   * @param count which
   * @param difference what was missing in this row
   */
  Ranked recounted(String count, long difference);

  /**
   * The row afterwards, with the next revision.
   *
   * @param changes what is added to each count
   * @param marks what the counts cover then
   */
  Ranked plus(Map<String, Long> changes, Map<String, String> marks);

  /**
   * The row in which something is counted, as it is before anything was.
   *
   * @param counted what is counted, as the plan names it
   * @param shardId the stream shard that the change comes from
   */
  static Optional<Ranked> of(Key counted, String shardId) {
    return TopAuthor.at(counted)
        .<Ranked>map(row -> row)
        .or(() -> TagTrend.at(counted, shardId).map(row -> row));
  }
}
