package social.feed.table.counter;

/**
 * A change of a counter that a stream record causes.
 *
 * @param sequenceNumber of the record, 21 to 40 digits
 * @param attribute the counter
 * @param delta what is added to it
 */
public record CountChange(String sequenceNumber, String attribute, long delta) {
  private static final int DIGITS = 40;

  /** Whether the record comes after a checkpoint of its shard. Sequence numbers differ in width. */
  boolean isAfter(String checkpoint) {
    return padded(sequenceNumber).compareTo(padded(checkpoint)) > 0;
  }

  private static String padded(String number) {
    return "0".repeat(Math.max(0, DIGITS - number.length())) + number;
  }
}
