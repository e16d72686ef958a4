package social.feed.api.graph;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.FollowQuotas;

/**
 * Whom callers follow, as it is now: what is remembered is good for one version of the caller's
 * quota, which each follow and unfollow changes in its own transaction, wherever that is answered.
 * One read unit for the version, and one for each account that was not asked for in it before.
 */
@Singleton
public final class FolloweeCache {
  /** Some 20 MB; forgetting one costs a read unit. */
  private static final int REMEMBERED = 200_000;

  /** A repair by hand removes edges without changing the version. */
  private static final Duration FOR = Duration.ofMinutes(10);

  private final FollowEdges follows;
  private final FollowQuotas quotas;
  private final Cache<Question, Boolean> answers;

  /** Whether somebody follows an account, in a version. */
  private record Question(String followerId, long version, String accountId) {}

  FolloweeCache(FollowEdges follows, FollowQuotas quotas) {
    this.follows = follows;
    this.quotas = quotas;
    this.answers = Caffeine.newBuilder().maximumSize(REMEMBERED).expireAfterWrite(FOR).build();
  }

  /** Those of some accounts that somebody follows. */
  public Set<String> among(String followerId, Collection<String> accountIds) {
    if (accountIds.size() < 2) {
      return follows.followedAmong(followerId, accountIds);
    }
    long version = quotas.of(followerId).version();
    return answers
        .getAll(
            accountIds.stream().map(id -> new Question(followerId, version, id)).toList(),
            unknown -> answers(followerId, unknown))
        .entrySet()
        .stream()
        .filter(Map.Entry::getValue)
        .map(answer -> answer.getKey().accountId())
        .collect(Collectors.toSet());
  }

  private Map<Question, Boolean> answers(String followerId, Set<? extends Question> unknown) {
    Set<String> followed =
        follows.followedAmong(followerId, unknown.stream().map(Question::accountId).toList());
    return unknown.stream()
        .collect(Collectors.toMap(Function.identity(), q -> followed.contains(q.accountId())));
  }
}
