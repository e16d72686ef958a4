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

  int draw(Random random) {
    int found =
        Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[cumulative.length - 1]);
    return Math.min(found < 0 ? -found - 1 : found + 1, cumulative.length - 1);
  }
}
