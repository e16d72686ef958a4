package social.feed.streams.effect;

/**
 * How much the handlers do at a time.
 *
 * @param chunk followers in a chunk of a large fan-out; an audience of this size or more is cut
 *     into chunks
 * @param chunksAtOnce chunks that are delivered concurrently
 * @param authorsAtOnce authors whose posts are read concurrently, for one feed or for new followers
 * @param keysAtOnce partition keys of a batch whose effects are applied concurrently
 * @param countersAtOnce items whose counters are written concurrently
 * @param removed rows that are removed for a post before the rest is left to a later part
 * @param notificationsAtOnce notifications that are written concurrently, and recipients whose
 *     blocks and mutes are read concurrently
 * @param removedAtOnce rows of an erased account that are removed concurrently, of those that need
 *     calls of their own, and former followers whose feeds are changed concurrently
 * @param walked items that an erasure or the sweep for erasures reads before it notes its progress
 */
public record BatchSizes(
    int chunk,
    int chunksAtOnce,
    int authorsAtOnce,
    int keysAtOnce,
    int countersAtOnce,
    int removed,
    int notificationsAtOnce,
    int removedAtOnce,
    int walked) {
  private static final int WALKED = 1_000;

  /** The sizes of the deployed function. */
  public static final BatchSizes STANDARD = new BatchSizes(500, 4, 8, 16, 16, 500, 8, 16, WALKED);

  public BatchSizes {
    if (chunk < 1
        || chunksAtOnce < 1
        || authorsAtOnce < 1
        || keysAtOnce < 1
        || countersAtOnce < 1
        || removed < 1
        || notificationsAtOnce < 1
        || removedAtOnce < 1
        || walked < 1) {
      throw new IllegalArgumentException("Batch sizes are at least 1");
    }
  }

  /** Returns these sizes with another number of rows that are removed for a post at a time. */
  public BatchSizes removing(int rows) {
    return new BatchSizes(
        chunk,
        chunksAtOnce,
        authorsAtOnce,
        keysAtOnce,
        countersAtOnce,
        rows,
        notificationsAtOnce,
        removedAtOnce,
        walked);
  }

  /**
   * Chunks and removals of one size and nothing concurrent, so that the order of all calls is
   * known.
   */
  public static BatchSizes oneByOne(int chunk) {
    return new BatchSizes(chunk, 1, 1, 1, 1, chunk, 1, 1, WALKED);
  }
}
