package social.feed.ctl.graph;

/** Is told how far an import has come. */
public interface ImportProgress {
  /**
   * A step begins.
   *
   * @param what what is being written
   * @param total how many of it
   */
  Step step(String what, long total);

  /** A step that goes on until it is closed. */
  interface Step extends AutoCloseable {
    void advance(long done);

    @Override
    void close();
  }
}
