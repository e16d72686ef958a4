package social.feed.api.user;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The accounts that a page of a list needs.
 *
 * @param separated ids of accounts that block the caller or are blocked by the caller
 * @param byId the other accounts, as far as they exist
 */
public record HydratedAccounts(Set<String> separated, Map<String, AccountBody> byId) {

  /** Whether the account exists and no block separates it from the caller. */
  public boolean isVisible(String userId) {
    return !separated.contains(userId) && byId.containsKey(userId);
  }

  /** Returns a visible account. */
  public AccountBody body(String userId) {
    return Objects.requireNonNull(byId.get(userId), userId);
  }
}
