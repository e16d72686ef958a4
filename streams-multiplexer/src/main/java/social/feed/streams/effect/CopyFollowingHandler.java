package social.feed.streams.effect;

import java.util.LinkedHashMap;
import java.util.List;
import social.feed.streams.plan.Effect.CopyFollowing;
import social.feed.table.user.Users;

/** Copies quotas to profiles. Of several states of one quota only the last is written. */
final class CopyFollowingHandler implements EffectHandler<CopyFollowing> {
  private final Users users;

  CopyFollowingHandler(Users users) {
    this.users = users;
  }

  @Override
  public void apply(List<CopyFollowing> effects) {
    var last = new LinkedHashMap<String, CopyFollowing>();
    effects.forEach(effect -> last.put(effect.userId(), effect));
    last.values()
        .forEach(copy -> users.copyFollowing(copy.userId(), copy.following(), copy.version()));
  }
}
