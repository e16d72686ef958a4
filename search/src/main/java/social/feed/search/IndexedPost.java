package social.feed.search;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What an index knows of a public post.
 *
 * @param id the id of the post, a ULID; of two equally relevant posts the higher id comes first
 * @param tags as they are stored, without the number sign
 */
public record IndexedPost(
    String id, String authorId, String text, Set<String> tags, Instant createdAt)
    implements IndexEntry {
  public IndexedPost {
    tags = Set.copyOf(tags);
  }

  @Override
  public EntryKind kind() {
    return EntryKind.POST;
  }

  @Override
  public List<String> content() {
    var fixed = Stream.of(authorId, text, Long.toString(createdAt.toEpochMilli()));
    return Stream.concat(fixed, tags.stream().sorted()).toList();
  }
}
