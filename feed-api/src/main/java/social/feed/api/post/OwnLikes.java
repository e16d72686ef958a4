package social.feed.api.post;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.engagement.Likes;
import social.feed.table.row.Post;

/**
 * The posts among those of a page that the caller likes. The index of likes can be some
 * milliseconds late, so the newest likes and unlikes that this process wrote override it. A single
 * post is read strongly instead. {@link Likes#likedAmong} states the cost.
 */
@Singleton
public final class OwnLikes {
  /** Far longer than an index is late. */
  private static final Duration INDEX_DELAY = Duration.ofSeconds(10);

  /** Some 20 MB; an evicted entry can show a like as it was a moment ago. */
  private static final int ENTRIES_MAX = 100_000;

  private final Likes likes;
  private final Cache<Engagement, Boolean> written =
      Caffeine.newBuilder().maximumSize(ENTRIES_MAX).expireAfterWrite(INDEX_DELAY).build();

  private record Engagement(String userId, String postId) {}

  OwnLikes(Likes likes) {
    this.likes = likes;
  }

  /** Notes that this process has just written or deleted a like. */
  public void wrote(String userId, String postId, boolean liked) {
    written.put(new Engagement(userId, postId), liked);
  }

  Set<String> among(String userId, Collection<Post> posts) {
    Set<String> liked = likes.likedAmong(userId, posts);
    for (Post post : posts) {
      @Nullable Boolean own = written.getIfPresent(new Engagement(userId, post.postId()));
      if (own != null && own) {
        liked.add(post.postId());
      } else if (own != null) {
        liked.remove(post.postId());
      }
    }
    return liked;
  }
}
