package social.feed.testkit.simulation;

import java.util.random.RandomGenerator;
import social.feed.testkit.fault.FaultMix;

/**
 * What one history is like. Not everything happens in each: a stream that is set back repairs what
 * went wrong before, and so hides it; faults end an invocation before anything can run beside it.
 *
 * @param faults those that come
 * @param setsBack whether the stream brings again what was done long ago
 * @param besidePerThousand calls during which others do something, of a thousand
 * @param longestBeside how much they do at most meanwhile
 * @param countsOneOf of how many batches one is for the counts; rare ones are large
 */
record Temper(
    FaultMix faults, boolean setsBack, int besidePerThousand, int longestBeside, int countsOneOf) {
  /** Calls that last long, or none, so that the whole is neither quiet nor endless. */
  private static final int[] BESIDE = {0, 20, 40, 80};

  private static final int LONGEST = 6;

  static Temper of(FaultMix mix, RandomGenerator random) {
    return new Temper(
        random.nextInt(4) == 0 ? FaultMix.none() : mix.varied(random),
        random.nextBoolean(),
        BESIDE[random.nextInt(BESIDE.length)],
        1 + random.nextInt(LONGEST),
        random.nextBoolean() ? 3 : 15);
  }
}
