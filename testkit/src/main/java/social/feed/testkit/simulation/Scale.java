package social.feed.testkit.simulation;

/**
 * Numbers that are large in earnest, and so small here that a few people reach them.
 *
 * @param newest how many of an author's posts a new follower gets
 * @param celebrityFrom how many followers make a celebrity
 * @param chunk followers of a part into which large deliveries are cut
 * @param feedShards over how many partitions the entries of a post are spread
 * @param tracks batches of effects of one shard that are under way at once
 */
public record Scale(int newest, long celebrityFrom, int chunk, int feedShards, int tracks) {
  private static final int NEWEST = 2;
  private static final int NEVER = 100;

  /** One partition and one batch at a time, so that each try of a flow makes the same writes. */
  static final Scale REPEATABLE = new Scale(NEWEST, NEVER, NEVER, 1, 1);

  /** The same with audiences that are cut into chunks of two. */
  static final Scale CHUNKED = new Scale(NEWEST, NEVER, 2, 1, 1);

  /** The same with celebrities of three followers. */
  static final Scale FAMOUS = new Scale(NEWEST, 3, NEVER, 1, 1);
}
