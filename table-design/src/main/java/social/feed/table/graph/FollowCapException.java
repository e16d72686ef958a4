package social.feed.table.graph;

/** Imported edges would exceed the cap; none of them was written. */
public final class FollowCapException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FollowCapException(String followerId, long following, long added, long cap) {
    super(
        followerId
            + " follows "
            + following
            + " accounts; "
            + added
            + " more would exceed the cap of "
            + cap);
  }
}
