package social.feed.table.row;

/**
 * A reason with the number that shows it.
 *
 * @param reason why
 * @param value what was counted
 * @param threshold the configured number that the value reached
 * @param points what the reason adds to the score
 */
public record SuspicionFinding(SuspicionReason reason, long value, long threshold, long points) {
  /** Returns the finding of a value that is at or above its threshold. */
  public static SuspicionFinding of(SuspicionReason reason, long value, long threshold) {
    long level = Math.min(SuspicionReason.LEVELS, value / threshold);
    return new SuspicionFinding(reason, value, threshold, level * reason.points());
  }
}
