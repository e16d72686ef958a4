package social.feed.engine.eventsource;

import org.jspecify.annotations.Nullable;

/** What a call came to. */
sealed interface Outcome {

  /** All records are done. */
  record Handled() implements Outcome {}

  /**
   * The records before {@code index} are done, the others come again.
   *
   * @param index at least 1
   */
  record HandledBefore(int index, String error) implements Outcome {}

  /** None is done. */
  record Failed(String error, @Nullable Throwable cause) implements Outcome {}
}
