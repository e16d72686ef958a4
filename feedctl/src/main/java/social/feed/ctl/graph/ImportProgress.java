package social.feed.ctl.graph;

/** Receives the progress of an import. */
public interface ImportProgress {
  /** An unknown total. */
  long UNKNOWN = -1;

  /**
   * Begins a step.
   *
   * @param what the kind of rows that are written
   * @param total their number, or {@link #UNKNOWN}
   */
  Step step(String what, long total);

  /** A step, which ends when it is closed. */
  interface Step extends AutoCloseable {
    void advance(long done);

    @Override
    void close();
  }
}
