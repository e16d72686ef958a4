package social.feed.api.post;

import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import social.feed.api.edge.cache.CachedReads;
import social.feed.table.graph.FollowEdges;
import social.feed.table.row.User;

/**
 * How many accounts follow an author specially. Each gets a notification of each post, also of a
 * celebrity's, so the author is charged for them.
 */
@Singleton
final class SpecialAudiences {
  /** For fewer followers, the least that a post counts as covers their notifications too. */
  private static final int FEW = 500;

  private static final Duration COUNTED_FOR = Duration.ofMinutes(10);
  private static final int AUTHORS = 10_000;

  private final FollowEdges follows;
  private final CachedReads<String, Long> counts;

  SpecialAudiences(FollowEdges follows) {
    this.follows = follows;
    this.counts =
        new CachedReads<>(
            Caffeine.newBuilder().maximumSize(AUTHORS).expireAfterWrite(COUNTED_FOR).build());
  }

  /**
   * Returns the special followers of an author with 500 followers or more, otherwise none. Counted
   * every ten minutes, by {@link FollowEdges#specialFollowers}.
   */
  long of(User author) {
    String id = author.userId();
    return author.followersCount() < FEW ? 0 : counts.get(id, () -> follows.specialFollowers(id));
  }
}
