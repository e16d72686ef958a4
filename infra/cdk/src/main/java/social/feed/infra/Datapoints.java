package social.feed.infra;

/**
 * How many of the newest data points must breach a threshold before an alarm goes off. One is
 * enough only for what does not pass by itself, such as a message in a queue.
 */
enum Datapoints {
  /**
   * A state that lasts until an operator acts, or a number that is gathered over an hour or a day.
   */
  ONE(1, 1),

  /** A state that a deployment or a restart causes for a while. */
  THREE_OF_THREE(3, 3),

  /** Requests that fail or are slow, where each period has many requests. */
  TWO_OF_THREE(2, 3),

  /** What has data in few periods only: a call of a lane lasts up to 15 minutes. */
  TWO_OF_SIX(2, 6);

  private final int breaching;
  private final int evaluated;

  Datapoints(int breaching, int evaluated) {
    this.breaching = breaching;
    this.evaluated = evaluated;
  }

  /** Returns the number of data points that must breach the threshold. */
  int breaching() {
    return breaching;
  }

  /** Returns the number of the newest data points that are evaluated. */
  int evaluated() {
    return evaluated;
  }
}
