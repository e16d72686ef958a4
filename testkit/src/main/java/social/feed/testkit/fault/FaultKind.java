package social.feed.testkit.fault;

/** What can go wrong with a call. */
public enum FaultKind {
  /** The request never arrives: a time-out or an error of the service. */
  ERROR_BEFORE,
  /** The request is applied, and its answer is lost. */
  ANSWER_LOST,
  /** The answer is lost and the SDK sends the request again. */
  SENT_TWICE,
  /** Refused for want of throughput, as either of the two exceptions. */
  THROTTLED,
  /** A transaction is cancelled because another is at one of its items. */
  CONFLICT,
  /** A batch is done in part: the rest is unprocessed. */
  UNPROCESSED,
  /** An eventually consistent read by key sees items as they were a while ago. */
  STALE_READ,
  /** A query of an index does not see what was written a while ago. */
  STALE_INDEX
}
