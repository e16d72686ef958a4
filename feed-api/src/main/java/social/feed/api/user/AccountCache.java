package social.feed.api.user;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import social.feed.api.edge.security.Viewer;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * Accounts for lists, read in batches. Half a read unit each, eventually consistent, and nothing
 * while one is fresh that any caller was shown. Every list that shows accounts, or what they made,
 * gets them here, without those that a block keeps away.
 */
@Singleton
public final class AccountCache {
  private final Users users;
  private final Cache<String, AccountBody> fresh;

  AccountCache(Users users, CacheConfiguration configuration) {
    this.users = users;
    this.fresh =
        Caffeine.newBuilder()
            .expireAfterWrite(configuration.cached())
            .maximumSize(configuration.remembered())
            .build();
  }

  /**
   * Dresses each item of a list with an account, and leaves out items whose account is gone, or
   * blocks the caller, or is blocked by the caller.
   *
   * @param accountOf which account an item needs
   * @param dress makes what is shown
   */
  public <S, V> List<Positioned<V>> dress(
      Viewer viewer,
      List<Positioned<S>> stored,
      Function<S, String> accountOf,
      BiFunction<S, AccountBody, V> dress) {
    List<String> ids = stored.stream().map(slot -> accountOf.apply(slot.item())).toList();
    Set<String> separated = viewer.boundary().separated(ids);
    List<Positioned<S>> near =
        stored.stream().filter(slot -> !separated.contains(accountOf.apply(slot.item()))).toList();
    return dressAll(near, accountOf, dress);
  }

  /** The same for lists of whom the caller keeps away, which leave nobody out but who is gone. */
  public <S, V> List<Positioned<V>> dressAll(
      List<Positioned<S>> stored,
      Function<S, String> accountOf,
      BiFunction<S, AccountBody, V> dress) {
    List<String> ids = stored.stream().map(slot -> accountOf.apply(slot.item())).toList();
    Map<String, AccountBody> accounts = byId(ids);
    List<Positioned<V>> shown = new ArrayList<>();
    for (Positioned<S> slot : stored) {
      AccountBody account = accounts.get(accountOf.apply(slot.item()));
      if (account != null) {
        shown.add(slot.with(dress.apply(slot.item(), account)));
      }
    }
    return shown;
  }

  /** Those of some accounts that are there. */
  public Map<String, AccountBody> byId(Collection<String> userIds) {
    return fresh.getAll(userIds, this::read);
  }

  private Map<String, AccountBody> read(Set<? extends String> userIds) {
    return users.getAll(List.copyOf(userIds)).values().stream()
        .collect(Collectors.toMap(User::userId, AccountBody::of));
  }
}
