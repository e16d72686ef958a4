package social.feed.api.edge.security;

import java.security.Principal;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.graph.ViewerRelations;
import social.feed.table.kernel.page.Page;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.User;
import social.feed.table.user.Users;

/**
 * The caller of a route that requires a token, with the caller's stored state. Each part of the
 * state is read at most once a request, when it is first needed, strongly consistent. A principal,
 * so that the OpenAPI document does not list it as a parameter. Not thread-safe.
 */
public final class Viewer implements Principal {
  private final String userId;
  private final Instant until;
  private final Stores stores;
  private final ViewerRelations relations;
  private @Nullable User account;
  private boolean isAccountRead;
  private @Nullable FollowQuota quota;

  /** The stores that the state is read from. */
  record Stores(BlocksAndMutes blocksAndMutes, MuteCache mutes, Users users, FollowQuotas quotas) {}

  /** Uses the quota only if this request has read it for another reason. */
  private final class KnownFromQuota implements ViewerRelations.Known {
    @Override
    public boolean isUnrelated() {
      return quota != null && quota.isUnrelated();
    }

    @Override
    public Optional<Page<BlockOrMute>> mutes(Supplier<Page<BlockOrMute>> stored) {
      return Optional.ofNullable(quota).map(read -> stores.mutes().of(read, stored));
    }
  }

  Viewer(String userId, Instant until, Stores stores) {
    this.userId = userId;
    this.until = until;
    this.stores = stores;
    this.relations = stores.blocksAndMutes().around(userId, new KnownFromQuota());
  }

  /** The subject of the token; a profile may not exist yet. */
  public String userId() {
    return userId;
  }

  /** When the token ends. */
  public Instant until() {
    return until;
  }

  /**
   * The caller's blocks and mutes, at the cost that {@link ViewerRelations} states. Once {@link
   * #quota} was read, mutes cost nothing while they are cached for its version, and an account
   * without either costs nothing.
   */
  public ViewerRelations relations() {
    return relations;
  }

  /** The caller's account as it was before this request; empty without a profile. One read unit. */
  public Optional<User> account() {
    if (!isAccountRead) {
      account = stores.users().get(userId).orElse(null);
      isAccountRead = true;
    }
    return Optional.ofNullable(account);
  }

  /**
   * The caller's follow quota as it was before this request. Its version changes with each follow
   * and unfollow, and with the first block that names the caller. One read unit.
   */
  public FollowQuota quota() {
    FollowQuota known = quota;
    if (known == null) {
      known = stores.quotas().of(userId);
      quota = known;
    }
    return known;
  }

  /** Returns the same caller with the state read again, for requests that last. */
  public Viewer later() {
    return new Viewer(userId, until, stores);
  }

  @Override
  public String getName() {
    return userId;
  }
}
