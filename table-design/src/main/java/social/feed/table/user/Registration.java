package social.feed.table.user;

import social.feed.table.row.User;

/** How a registration ended. */
public sealed interface Registration {
  /** The account was created. */
  record Registered(User user) implements Registration {}

  /** The caller has an account already; nothing was changed. */
  record AlreadyRegistered(User user) implements Registration {}

  /**
   * The caller had an account that is being erased, or was within the last 30 days; nothing was
   * written.
   */
  record Erased() implements Registration {}

  /** Another account has the handle; nothing was written. */
  record HandleTaken(String handle) implements Registration {}
}
