package social.feed.api.user;

import jakarta.inject.Singleton;
import social.feed.api.problem.ProblemCode;
import social.feed.api.problem.ProblemException;
import social.feed.api.security.Viewer;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/** Callers and other accounts, where they are needed. One read unit each, strongly consistent. */
@Singleton
public final class Members {
  private final Users users;

  Members(Users users) {
    this.users = users;
  }

  /**
   * The caller's account.
   *
   * @throws ProblemException {@code not_registered}
   */
  public User caller(Viewer viewer) {
    return users
        .get(viewer.userId())
        .orElseThrow(
            () ->
                new ProblemException(ProblemCode.NOT_REGISTERED, "The caller has no profile yet"));
  }

  /**
   * Another account.
   *
   * @throws ProblemException {@code not_found}
   */
  public User account(String userId) {
    return users.get(userId).orElseThrow(Members::missing);
  }

  /** What is answered where there is no such account. */
  public static ProblemException missing() {
    return new ProblemException(ProblemCode.NOT_FOUND, "There is no such account");
  }
}
