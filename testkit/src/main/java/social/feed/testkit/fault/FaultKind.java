package social.feed.testkit.fault;

/** The faults that can affect a call. */
public enum FaultKind {
  /** The request does not arrive: a time-out or an error of the service. */
  ERROR_BEFORE,
  /** The request is applied, and its answer is lost. */
  ANSWER_LOST,
  /** The answer is lost and the SDK sends the request again. */
  SENT_TWICE,
  /** The request is rejected for lack of throughput, with either of the two exceptions. */
  THROTTLED,
  /** A transaction is canceled because another one accesses one of its items. */
  CONFLICT,
  /** A batch is applied in part; the rest is unprocessed. */
  UNPROCESSED,
  /** An eventually consistent read of the table returns items in old states. */
  STALE_READ,
  /** A query of an index misses recent writes and returns entries of deleted items. */
  STALE_INDEX
}
