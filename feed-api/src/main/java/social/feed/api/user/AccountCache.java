package social.feed.api.user;

import io.micronaut.serde.annotation.SerdeImport;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import social.feed.api.edge.security.Viewer;
import social.feed.api.media.MediaAddresses;
import social.feed.table.row.PostMedia;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * Reads accounts for lists, in batches. Eventually consistent; half a read unit an account, and
 * nothing while it is fresh for any caller.
 */
@Singleton
@SerdeImport(User.class)
@SerdeImport(PostMedia.class)
public final class AccountCache {
  private final Users users;
  private final Function<User, AccountBody> body;
  private final HotCache<User> fresh;

  @Inject
  AccountCache(Users users, HotCaches caches, MediaAddresses addresses) {
    this(users, caches, user -> AccountBody.of(user, addresses));
  }

  /**
   * @param body returns an account as a response shows it
   */
  public AccountCache(Users users, HotCaches caches, Function<User, AccountBody> body) {
    this.users = users;
    this.body = body;
    this.fresh = caches.of("user", User.class, users::getAll);
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

  /**
   * As {@link #hydrate}, for searches: strongly consistent and never from the cache, so an account
   * that was erased before the request is absent. One read unit an account.
   */
  public HydratedAccounts hydrateCurrent(Viewer viewer, List<String> userIds) {
    Set<String> separated = viewer.relations().separated(userIds);
    return new HydratedAccounts(
        separated, current(userIds.stream().filter(id -> !separated.contains(id)).toList()));
  }

  /** As {@link #hydrate}, for the caller's own lists of blocks and mutes: nothing is separated. */
  public <R> HydratedAccounts hydrateAll(List<R> references, Function<R, String> accountOf) {
    return new HydratedAccounts(Set.of(), byId(references.stream().map(accountOf).toList()));
  }

  /** Returns the accounts that exist, by id. */
  public Map<String, AccountBody> byId(Collection<String> userIds) {
    return bodies(fresh.getAll(userIds));
  }

  /**
   * Returns the accounts that exist, by id, strongly consistent and never from the cache. One read
   * unit each.
   */
  public Map<String, AccountBody> current(Collection<String> userIds) {
    return bodies(users.current(userIds));
  }

  private Map<String, AccountBody> bodies(Map<String, User> accounts) {
    var bodies = new LinkedHashMap<String, AccountBody>();
    accounts.forEach((id, user) -> bodies.put(id, body(user)));
    return bodies;
  }

  /** Returns an account, strongly consistent. One read unit. */
  public Optional<AccountBody> stored(String userId) {
    return users.get(userId).map(this::body);
  }

  /** Returns an account that was read, with the addresses of its avatar. */
  public AccountBody body(User user) {
    return body.apply(user);
  }
}
