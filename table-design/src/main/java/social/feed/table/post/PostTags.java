package social.feed.table.post;

import java.util.Collection;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;

/** Writes the rows that list posts under their tags. */
public final class PostTags {
  private final Table table;

  public PostTags(Table table) {
    this.table = table;
  }

  /** Writes all tag rows of some posts. Two write units a row, one where the post is not public. */
  public void write(Collection<Post> posts) {
    table.putAll(
        posts.stream()
            .flatMap(post -> post.tags().stream().map(tag -> PostTag.of(post, tag)))
            .toList());
  }
}
