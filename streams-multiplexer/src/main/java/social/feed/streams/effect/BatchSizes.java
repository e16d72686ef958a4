package social.feed.streams.effect;

/**
 * How much is done at a time.
 *
 * @param chunk followers in a part of a large delivery; also the audience from which on it is cut
 * @param chunksAtOnce parts that are worked off at the same time
 * @param authorsAtOnce authors whose posts are read at the same time, for one feed or for those who
 *     began to follow them
 * @param walked items of the table that an erasure looks at before it notes what it found
 */
public record BatchSizes(int chunk, int chunksAtOnce, int authorsAtOnce, int walked) {
  private static final int WALKED = 1_000;

  /** What the deployed function does. */
  public static final BatchSizes STANDARD = new BatchSizes(500, 4, 8, WALKED);

  public BatchSizes {
    if (chunk < 1 || chunksAtOnce < 1 || authorsAtOnce < 1 || walked < 1) {
      throw new IllegalArgumentException("Portions are at least 1");
    }
  }

  /** Parts of a size, and nothing at the same time, so that the order of all calls is known. */
  public static BatchSizes oneByOne(int chunk) {
    return new BatchSizes(chunk, 1, 1, WALKED);
  }
}
