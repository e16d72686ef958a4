package social.feed.search;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What an index knows of a public post.
 *
 * @param id the id of the post, a ULID; of two equally relevant posts the higher id comes first
 * @param tags as they are stored, without the number sign
 */
public record IndexedPost(
    String id, String authorId, String text, Set<String> tags, Instant createdAt)
    implements IndexEntry {
  private static final int FIXED = 3;

  public IndexedPost {
    tags = Set.copyOf(tags);
  }

  @Override
  public EntryKind kind() {
    return EntryKind.POST;
  }

  @Override
  public List<String> content() {
    var content = new ArrayList<String>(FIXED + tags.size());
    content.addAll(tags);
    content.sort(null);
    content.addAll(0, List.of(authorId, text, Long.toString(createdAt.toEpochMilli())));
    return content;
  }
}
