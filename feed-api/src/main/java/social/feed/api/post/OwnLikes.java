package social.feed.api.post;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.engagement.Likes;
import social.feed.table.row.Post;

/**
 * The posts among those of a page that the caller likes. The index of likes can be some
 * milliseconds late, so the posts whose likes this process has just written are read strongly, one
 * read unit each. {@link Likes#likedAmong} states the cost of the others.
 */
@Singleton
public final class OwnLikes {
  /** Far longer than an index is late. */
  private static final Duration INDEX_DELAY = Duration.ofSeconds(10);

  /** Some 20 MB; without its entry, a like can be shown as it was a moment ago. */
  private static final int ENTRIES_MAX = 100_000;

  private final Likes likes;
  private final Cache<Engagement, Boolean> late =
      Caffeine.newBuilder().maximumSize(ENTRIES_MAX).expireAfterWrite(INDEX_DELAY).build();

  private record Engagement(String userId, String postId) {}

  OwnLikes(Likes likes) {
    this.likes = likes;
  }

  /** Notes that this process has just written or deleted a like. */
  public void wrote(String userId, String postId) {
    late.put(new Engagement(userId, postId), true);
  }

  /**
   * Returns whether the caller likes a single post. Half a read unit; one for a like that this
   * process has just written.
   */
  boolean has(String userId, Post post) {
    return late.getIfPresent(new Engagement(userId, post.postId())) == null
        ? likes.isLiked(userId, post)
        : !likes.likedBy(userId, Set.of(post.postId())).isEmpty();
  }

  Set<String> among(String userId, Collection<Post> posts) {
    Map<Boolean, List<Post>> parts =
        posts.stream()
            .collect(
                Collectors.partitioningBy(
                    post -> late.getIfPresent(new Engagement(userId, post.postId())) != null));
    Set<String> liked = likes.likedAmong(userId, requireNonNull(parts.get(false)));
    liked.addAll(
        likes.likedBy(userId, requireNonNull(parts.get(true)).stream().map(Post::postId).toList()));
    return liked;
  }
}
