package social.feed.table.erasure;

/** What came of the wish to be erased. */
public enum ErasureRequestOutcome {
  /** The account is gone, and the rest is under way. */
  BEGUN,
  /** It had begun before, and may be done. */
  BEGUN_BEFORE,
  /** There is no such account. */
  NOT_REGISTERED
}
