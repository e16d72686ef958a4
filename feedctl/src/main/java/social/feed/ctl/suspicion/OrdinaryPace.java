package social.feed.ctl.suspicion;

/**
 * How fast the accounts of a graph follow. A graph has no times, so each pace is tried.
 *
 * @param label in reports
 * @param perDay the most follows of a day
 * @param suggested how many of the most followed accounts each account follows first, in the same
 *     order
 */
record OrdinaryPace(String label, int perDay, int suggested) {
  /** Ten a day. */
  static final OrdinaryPace STEADY = new OrdinaryPace("ten a day", 10, 0);

  /** Everything on the first day, as far as the daily limit allows. */
  static final OrdinaryPace AT_ONCE = new OrdinaryPace("all at once", 400, 0);

  /** All at once, after ten suggestions that are the same for everyone. */
  static final OrdinaryPace SUGGESTED = new OrdinaryPace("all at once, after suggestions", 400, 10);
}
