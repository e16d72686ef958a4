package social.feed.ctl.plan;

/**
 * A limit of a key, a table, an account or a stage, and what a plan needs at peak.
 *
 * @param name what is limited
 * @param needed at peak
 * @param standard the limit, or its default, in the same unit
 */
record Limit(String name, double needed, double standard) {
  boolean isExceeded() {
    return needed > standard;
  }
}
