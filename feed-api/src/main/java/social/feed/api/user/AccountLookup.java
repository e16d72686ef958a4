package social.feed.api.user;

import jakarta.inject.Singleton;
import java.util.Optional;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.table.erasure.Erasures;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * Reads accounts, strongly consistent. One read unit each, and one for the caller's blocks where
 * the rules need them. {@link Viewer} keeps the caller's account and blocks for the request.
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
   * Returns the caller's account.
   *
   * @throws ProblemException {@code not_registered}, {@code account_erased}
   */
  public User caller(Viewer viewer) {
    return viewer.account().orElseThrow(() -> notRegistered(viewer));
  }

  /** Returns the problem for a caller without a profile. One read unit. */
  public ProblemException notRegistered(Viewer viewer) {
    return erasures.of(viewer.userId()).isPresent()
        ? erased()
        : new ProblemException(ProblemCode.NOT_REGISTERED, "The caller has no profile yet");
  }

  /**
   * Requires of a caller who need not have a profile that the account was not erased. One read
   * unit, two without a profile.
   *
   * @throws ProblemException {@code account_erased}
   */
  public void requireNotErased(Viewer viewer) {
    if (viewer.account().isEmpty() && erasures.of(viewer.userId()).isPresent()) {
      throw erased();
    }
  }

  /** Returns the problem for a caller whose account was erased. */
  static ProblemException erased() {
    return new ProblemException(
        ProblemCode.ACCOUNT_ERASED,
        "The caller's account is being erased, or was erased within the last 30 days");
  }

  /**
   * Returns another account, without the caller's rules: as the target of a request, not for a
   * body.
   *
   * @throws ProblemException {@code not_found}
   */
  public User account(String userId) {
    return find(userId).orElseThrow(AccountLookup::missing);
  }

  /** As {@link #account}, where the account may be gone. */
  public Optional<User> find(String userId) {
    return users.get(userId);
  }

  /**
   * Returns an account whose profile the caller may see. A caller who blocks it sees it too, and
   * can unblock it.
   *
   * @throws ProblemException {@code not_found}, also for an account that blocks the caller
   */
  public User profile(Viewer viewer, String userId) {
    if (viewer.relations().isBlockedBy(userId)) {
      throw missing();
    }
    return account(userId);
  }

  /**
   * Returns an account whose posts and lists the caller may see.
   *
   * @throws ProblemException {@code not_found}, also where either blocks the other
   */
  public User open(Viewer viewer, String userId) {
    if (viewer.relations().separates(userId)) {
      throw missing();
    }
    return account(userId);
  }

  /** Returns the problem for an account that does not exist. */
  public static ProblemException missing() {
    return new ProblemException(ProblemCode.NOT_FOUND, "There is no such account");
  }
}
