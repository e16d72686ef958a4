package social.feed.engine.eventsource;

/** The outcome of a call of the function. */
sealed interface InvocationOutcome {

  /** The function handled all records. */
  record Handled() implements InvocationOutcome {}

  /**
   * The function handled the records before {@code index}. The others are delivered again.
   *
   * @param index position of the first record that was not handled, at least 1
   */
  record HandledBefore(int index, String error) implements InvocationOutcome {}

  /** The function handled none of the records. */
  record Failed(String error) implements InvocationOutcome {}
}
