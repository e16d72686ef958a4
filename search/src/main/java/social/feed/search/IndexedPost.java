package social.feed.search;

import java.time.Instant;
import java.util.Set;

/**
 * What an index knows of a public post.
 *
 * @param id the id of the post, a ULID; of two equally relevant posts the higher id comes first
 * @param tags as they are stored, without the number sign
 */
public record IndexedPost(
    String id, String authorId, String text, Set<String> tags, Instant createdAt) {
  public IndexedPost {
    tags = Set.copyOf(tags);
  }
}
