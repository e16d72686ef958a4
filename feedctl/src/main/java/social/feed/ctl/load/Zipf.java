package social.feed.ctl.load;

import java.util.Arrays;
import java.util.Random;

/** A Zipf distribution of the ranks 0 to n - 1: rank k has the weight 1 / (k + 1)^skew. */
final class Zipf {
  private final double[] cumulative;

  Zipf(int ranks, double skew) {
    cumulative = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      // Equal on every machine, so that a seed gives the same requests.
      sum += 1 / StrictMath.pow(rank + 1, skew);
      cumulative[rank] = sum;
    }
  }

  /** Returns one of all ranks. */
  int draw(Random random) {
    return draw(random, cumulative.length);
  }

  /** Returns one of the first ranks, with the weights that they have among each other. */
  int draw(Random random, int ranks) {
    int found =
        Arrays.binarySearch(cumulative, 0, ranks, random.nextDouble() * cumulative[ranks - 1]);
    return Math.min(found < 0 ? -found - 1 : found + 1, ranks - 1);
  }
}
