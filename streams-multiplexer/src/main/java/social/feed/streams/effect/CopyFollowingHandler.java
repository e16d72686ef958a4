package social.feed.streams.effect;

import java.util.List;
import social.feed.table.user.Users;

/** Copies quotas to profiles. One write unit each; a copy of an older version changes nothing. */
public final class CopyFollowingHandler
    implements EffectHandler<CopyFollowingHandler.CopyFollowing> {
  /** Copies the exact number of followed accounts to the profile. */
  public record CopyFollowing(String userId, long following, long version) implements Effect {}

  private final Users users;

  public CopyFollowingHandler(EffectContext context) {
    this.users = context.users;
  }

  @Override
  public void apply(List<CopyFollowing> effects) {
    effects.forEach(copy -> users.copyFollowing(copy.userId(), copy.following(), copy.version()));
  }
}
