package social.feed.api.user;

import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import social.feed.api.edge.security.Viewer;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * Reads accounts for lists, in batches. Eventually consistent; half a read unit an account, and
 * nothing while it is fresh for any caller.
 */
@Singleton
public final class AccountCache {
  private final Users users;
  private final HotCache<AccountBody> fresh;

  public AccountCache(Users users, HotCaches caches) {
    this.users = users;
    this.fresh = caches.of("account", AccountBody.class, this::read);
  }

  /**
   * Reads the accounts of a page of references, without those that a block separates from the
   * caller.
   *
   * @param accountOf the account that a reference needs
   */
  public <R> HydratedAccounts hydrate(
      Viewer viewer, List<R> references, Function<R, String> accountOf) {
    List<String> ids = references.stream().map(accountOf).toList();
    Set<String> separated = viewer.relations().separated(ids);
    return new HydratedAccounts(
        separated, byId(ids.stream().filter(id -> !separated.contains(id)).toList()));
  }

  /** As {@link #hydrate}, for the caller's own lists of blocks and mutes: nothing is separated. */
  public <R> HydratedAccounts hydrateAll(List<R> references, Function<R, String> accountOf) {
    return new HydratedAccounts(Set.of(), byId(references.stream().map(accountOf).toList()));
  }

  /** Returns the accounts that exist, by id. */
  public Map<String, AccountBody> byId(Collection<String> userIds) {
    return fresh.getAll(userIds);
  }

  private Map<String, AccountBody> read(List<String> userIds) {
    return users.getAll(userIds).values().stream()
        .collect(Collectors.toMap(User::userId, AccountBody::of));
  }
}
