package social.feed.table.user;

import social.feed.table.row.User;

/** How a change of a profile ended. */
public sealed interface ProfileOutcome {
  /** The account as it is now. */
  record Changed(User user) implements ProfileOutcome {}

  /** There is no such account. */
  record NotRegistered() implements ProfileOutcome {}

  /** Somebody else has the handle; nothing was written. */
  record HandleTaken(String handle) implements ProfileOutcome {}
}
