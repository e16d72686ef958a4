package social.feed.simulation;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The planted bugs that a run looks for: one of three, or each with {@code
 * -Dsimulation.bugs.every=1}, as in CI. Those of sinks and of erasures take longest, and have
 * {@code -Dsimulation.bugs.ofSinks.every=1}, as each night.
 */
final class BugsOfRun {
  private static final int EVERY = Integer.getInteger("simulation.bugs.every", 3);
  private static final int EVERY_OF_SINKS = Integer.getInteger("simulation.bugs.ofSinks.every", 3);

  private BugsOfRun() {}

  static <B> Stream<B> of(List<B> all) {
    return of(all, EVERY);
  }

  static <B> Stream<B> ofSinks(List<B> all) {
    return of(all, EVERY_OF_SINKS);
  }

  private static <B> Stream<B> of(List<B> all, int every) {
    return IntStream.iterate(0, i -> i < all.size(), i -> i + every).mapToObj(all::get);
  }
}
