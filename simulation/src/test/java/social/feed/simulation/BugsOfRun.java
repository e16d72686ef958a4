package social.feed.simulation;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The planted bugs that a run looks for: one of three, or each with {@code
 * -Dsimulation.bugs.every=1}, as in CI.
 */
final class BugsOfRun {
  private static final int EVERY = Integer.getInteger("simulation.bugs.every", 3);

  private BugsOfRun() {}

  static <B> Stream<B> of(List<B> all) {
    return IntStream.iterate(0, i -> i < all.size(), i -> i + EVERY).mapToObj(all::get);
  }
}
