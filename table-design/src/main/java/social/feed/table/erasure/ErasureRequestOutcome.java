package social.feed.table.erasure;

/** How a request to erase an account ended. */
public enum ErasureRequestOutcome {
  /** The account is deleted, and the erasure of its rows has begun. */
  BEGUN,
  /** The erasure began before, and may be done. */
  BEGUN_BEFORE,
  /** There is no such account. */
  NOT_REGISTERED
}
