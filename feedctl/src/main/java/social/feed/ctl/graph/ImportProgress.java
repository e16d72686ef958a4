package social.feed.ctl.graph;

/** Is told how far an import has come. */
public interface ImportProgress {
  /** A total that nobody knows. */
  long UNKNOWN = -1;

  /**
   * A step begins.
   *
   * @param what what is being written
   * @param total how many of it, {@link #UNKNOWN} when nobody knows
   */
  Step step(String what, long total);

  /** A step that goes on until it is closed. */
  interface Step extends AutoCloseable {
    void advance(long done);

    @Override
    void close();
  }
}
