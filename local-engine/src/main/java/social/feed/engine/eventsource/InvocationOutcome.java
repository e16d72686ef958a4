package social.feed.engine.eventsource;

import org.jspecify.annotations.Nullable;

/** What a call came to. */
sealed interface InvocationOutcome {

  /** All records are done. */
  record Handled() implements InvocationOutcome {}

  /**
   * The records before {@code index} are done, the others come again.
   *
   * @param index at least 1
   */
  record HandledBefore(int index, String error) implements InvocationOutcome {}

  /** None is done. */
  record Failed(String error, @Nullable Throwable cause) implements InvocationOutcome {}
}
