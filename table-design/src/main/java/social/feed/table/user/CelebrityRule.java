package social.feed.table.user;

/**
 * The number of followers from which on readers pull an author's posts instead of having them
 * pushed to their feeds. The celebrity flag is cleared only well below that number, so one follower
 * who comes and goes does not flip it.
 *
 * @param threshold the number of followers that sets the flag
 */
public record CelebrityRule(long threshold) {
  private static final long OFF_NUMERATOR = 9;
  private static final long OFF_DENOMINATOR = 10;

  public CelebrityRule {
    if (threshold < 1) {
      throw new IllegalArgumentException("A celebrity has at least 1 follower, not " + threshold);
    }
  }

  /**
   * Whether an author is a celebrity: from the threshold on, not below nine tenths of it, and in
   * between as before.
   *
   * @param before the flag so far
   */
  public boolean applies(boolean before, long followers) {
    return followers >= threshold
        || (before && followers * OFF_DENOMINATOR >= threshold * OFF_NUMERATOR);
  }
}
