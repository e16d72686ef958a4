package social.feed.table.user;

/**
 * From how many followers on an author's posts are pulled by readers instead of pushed to them. The
 * flag goes off again only well below that, so one follower who comes and goes flips nothing.
 *
 * @param threshold followers at which the flag goes on
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
   * Whether an author is a celebrity: on at the threshold, off below nine tenths of it, and in
   * between as before.
   */
  public boolean applies(boolean before, long followers) {
    return followers >= threshold
        || (before && followers * OFF_DENOMINATOR >= threshold * OFF_NUMERATOR);
  }
}
