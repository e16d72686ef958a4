package social.feed.testkit.simulation;

/**
 * Limits of the function. They are so small in a simulation that a few users reach them.
 *
 * @param newest the number of an author's posts that a new follower receives
 * @param celebrityFrom the number of followers that makes a celebrity
 * @param chunk the number of followers in a chunk of a large fan-out
 * @param feedShards the number of partitions over which the feed entries of a post are spread
 * @param tracks the number of effect batches of one shard that run at once
 */
public record Scale(int newest, long celebrityFrom, int chunk, int feedShards, int tracks) {
  private static final int NEWEST = 2;
  private static final int NEVER = 100;

  /** One partition and one batch at a time, so that each run of a flow makes the same writes. */
  static final Scale REPEATABLE = new Scale(NEWEST, NEVER, NEVER, 1, 1);

  /** The repeatable scale with audiences in chunks of two. */
  static final Scale CHUNKED = new Scale(NEWEST, NEVER, 2, 1, 1);

  /** The repeatable scale with celebrities from three followers on. */
  static final Scale WITH_CELEBRITIES = new Scale(NEWEST, 3, NEVER, 1, 1);
}
