package social.feed.verify;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import social.feed.table.post.Posts;
import social.feed.table.row.PostRef;

/**
 * A cache of all posts of an author. It holds the last 64 authors, because the edges of an account
 * are adjacent in the table.
 */
final class AuthorPosts {
  private static final int REMEMBERED = 64;

  private final Posts posts;
  private final Map<String, List<PostRef>> remembered =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<PostRef>> eldest) {
          return size() > REMEMBERED;
        }
      };

  AuthorPosts(Posts posts) {
    this.posts = posts;
  }

  synchronized List<PostRef> of(String authorId) {
    return remembered.computeIfAbsent(authorId, id -> posts.allOfAuthor(id).toList());
  }

  /** Clears the cache, before rows are checked again. */
  synchronized void clear() {
    remembered.clear();
  }
}
