package social.feed.ctl.verify;

import java.util.List;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.row.PostTag;

/**
 * Writes and deletes tag rows. The tags of a post never change, but it may be deleted meanwhile.
 */
record TagRepair(Table table, Posts posts, ConditionalWrites corrections) {
  /** Looks again after writing: whoever deletes the post later finds the row. */
  boolean write(PostTag tag) {
    table.putAll(List.of(tag));
    if (posts.get(tag.postId()).isEmpty()) {
      table.deleteAll(List.of(tag.key()));
      return false;
    }
    return true;
  }

  boolean delete(PostTag tag) {
    return corrections.remove(tag);
  }
}
