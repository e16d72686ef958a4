package social.feed.bounds;

/**
 * Something that the platform does and that costs units.
 *
 * @param name the name in the matrix
 * @param run prepares the world and returns the calls to measure
 */
record Operation(String name, Preparation run) {

  /** Prepares an operation. */
  interface Preparation {
    /**
     * Prepares the world.
     *
     * @return the calls of the operation, which are measured
     */
    Runnable in(MeasuredWorld world);
  }

  Work measure(MeasuredWorld world) {
    try {
      world.reset();
      return world.cost(run.in(world));
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("Cannot measure " + name + ": " + e.getMessage(), e);
    }
  }
}
