package social.feed.api.edge.paging;

/** Cursors for tests of other packages. */
public final class TestCursors {
  private TestCursors() {}

  /** Creates a codec with a fixed key. */
  public static CursorCodec codec() {
    return new CursorCodec(new CursorConfiguration("0123456789abcdef0123456789abcdef", null));
  }
}
