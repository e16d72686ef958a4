package social.feed.api.user;

import jakarta.inject.Singleton;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.table.erasure.Erasures;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * Callers and other accounts, where they are needed. One read unit each, and one for the caller's
 * blocks where those matter, strongly consistent.
 */
@Singleton
public final class AccountLookup {
  private final Users users;
  private final Erasures erasures;

  AccountLookup(Users users, Erasures erasures) {
    this.users = users;
    this.erasures = erasures;
  }

  /**
   * The caller's account.
   *
   * @throws ProblemException {@code not_registered}, {@code account_erased}
   */
  public User caller(Viewer viewer) {
    return users.get(viewer.userId()).orElseThrow(() -> notRegistered(viewer));
  }

  /** What is answered to a caller without a profile. One read unit. */
  public ProblemException notRegistered(Viewer viewer) {
    return erasures.of(viewer.userId()).isPresent()
        ? erased()
        : new ProblemException(ProblemCode.NOT_REGISTERED, "The caller has no profile yet");
  }

  /** What is answered to a caller whose account was erased. */
  static ProblemException erased() {
    return new ProblemException(
        ProblemCode.ACCOUNT_ERASED,
        "The caller's account is being erased, or was erased within the last 30 days");
  }

  /**
   * Another account, whatever stands between it and the caller: to act on, not to be shown.
   *
   * @throws ProblemException {@code not_found}
   */
  public User account(String userId) {
    return users.get(userId).orElseThrow(AccountLookup::missing);
  }

  /**
   * An account whose profile the caller may see. Whoever blocks it does, to be able to unblock it.
   *
   * @throws ProblemException {@code not_found}, also for an account that blocks the caller
   */
  public User profile(Viewer viewer, String userId) {
    if (viewer.boundary().isBlockedBy(userId)) {
      throw missing();
    }
    return account(userId);
  }

  /**
   * An account that the caller may see more of than the profile.
   *
   * @throws ProblemException {@code not_found}, also where one of the two blocks the other
   */
  public User open(Viewer viewer, String userId) {
    if (viewer.boundary().separates(userId)) {
      throw missing();
    }
    return account(userId);
  }

  /** What is answered where there is no such account. */
  public static ProblemException missing() {
    return new ProblemException(ProblemCode.NOT_FOUND, "There is no such account");
  }
}
