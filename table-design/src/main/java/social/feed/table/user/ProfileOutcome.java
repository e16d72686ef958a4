package social.feed.table.user;

import social.feed.table.row.User;

/** How a change of a profile ended. */
public sealed interface ProfileOutcome {
  /** The account after the change. */
  record Changed(User user) implements ProfileOutcome {}

  /** There is no such account. */
  record NotRegistered() implements ProfileOutcome {}

  /**
   * The account has no such file, its upload is not checked, or it is shown elsewhere; nothing was
   * written.
   */
  record MediaNotUsable() implements ProfileOutcome {}

  /** Another account has the handle; nothing was written. */
  record HandleTaken(String handle) implements ProfileOutcome {}
}
