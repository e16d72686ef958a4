package social.feed.ctl.suspicion;

/**
 * A kind of account that is planted in a graph.
 *
 * @param label in reports
 * @param follows how many accounts it follows
 * @param perDay the most follows of a day
 * @param unfollowed the share of the follows that it takes back on the same day
 * @param blocked the share of the follows that the followed accounts answer with a block
 * @param ringSize how many bots follow the same accounts in the same order; 1 for none
 * @param own the share of follows between those that each bot of a ring chooses itself
 */
record PlantedBot(
    String label,
    int follows,
    int perDay,
    double unfollowed,
    double blocked,
    int ringSize,
    double own) {
  /** A ring as it is bought: each bot follows the same list. */
  static final PlantedBot RING = new PlantedBot("ring, same list", 60, 400, 0, 0.02, 20, 0);

  /** A ring whose bots also follow accounts of their own in between. */
  static final PlantedBot MIXED_RING =
      new PlantedBot("ring, a tenth of their own", 60, 400, 0, 0.02, 20, 0.1);

  /** A ring that takes its time, so that no bot follows thirty accounts on its first day. */
  static final PlantedBot SLOW_RING =
      new PlantedBot("ring, ten follows a day", 60, 10, 0, 0.02, 20, 0);

  /** Follows so that others follow back, and leaves them. */
  static final PlantedBot CHURN = new PlantedBot("churn", 250, 250, 0.8, 0.02, 1, 0);

  /** Follows strangers, many of whom block it. */
  static final PlantedBot UNWANTED = new PlantedBot("unwanted", 120, 120, 0, 0.2, 1, 0);

  /** Uses up the limit of its first days. */
  static final PlantedBot BURST = new PlantedBot("burst", 800, 400, 0, 0.02, 1, 0);
}
