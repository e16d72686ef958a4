package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import social.feed.table.kernel.declaration.Index;

/**
 * A tag of a post: {@code POST#<id> / TAG#<tag>}; in GSI2 only while the post is public.
 *
 * @param postId the post
 * @param tag normalized
 * @param authorId the post's author
 * @param createdAt the post's own time
 * @param visibility the post's visibility
 * @param feedShards the post's number of feed partitions
 */
@StoredAs(RowKind.POST_TAG)
public record PostTag(
    String postId,
    String tag,
    String authorId,
    Instant createdAt,
    Visibility visibility,
    int feedShards)
    implements Row {

  public static PostTag of(Post post, String tag) {
    return new PostTag(
        post.postId(),
        tag,
        post.authorId(),
        post.createdAt(),
        post.visibility(),
        post.feedShards());
  }

  @Override
  public Key key() {
    return new Key(Keys.post(postId), Keys.tag(tag));
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(authorId);
  }

  @Override
  public List<Key> parents() {
    return List.of(Post.key(postId));
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return visibility == Visibility.PUBLIC
        ? Map.of(
            Index.POSTS_BY_TAG, new Key(Keys.tag(tag), Keys.timed(createdAt, Keys.post(postId))))
        : Map.of();
  }
}
