package social.feed.verify;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;
import social.feed.table.post.Posts;
import social.feed.table.row.PostRef;

/**
 * A cache of the newest posts of some authors. It holds the last 64 of them, because the edges of
 * an account are adjacent in the table, and fewer where these have more than a million posts.
 */
final class AuthorPosts {
  private static final int REMEMBERED = 64;

  /** The posts that are kept, some 200 bytes each. */
  private static final int TOGETHER = 1_000_000;

  /** The posts that are kept of an author. More are read each time that they are needed. */
  private static final int NEWEST = 100_000;

  private final Posts posts;
  private final int newest;
  private final SequencedMap<String, List<PostRef>> remembered = new LinkedHashMap<>();
  private int kept;

  AuthorPosts(Posts posts) {
    this(posts, NEWEST);
  }

  /**
   * @param newest the posts that are kept of an author
   */
  AuthorPosts(Posts posts, int newest) {
    this.posts = posts;
    this.newest = newest;
  }

  /** Returns the posts of an author, newest first, read as far as the stream is consumed. */
  Stream<PostRef> of(String authorId) {
    var known = newest(authorId);
    return known.size() < newest
        ? known.stream()
        : Stream.concat(
            known.stream(), Stream.of(known.getLast()).flatMap(posts::allOfAuthorBehind));
  }

  /** Returns those before a time. */
  Stream<PostRef> before(String authorId, Instant time) {
    var known = newest(authorId);
    return known.size() < newest || known.getLast().createdAt().isBefore(time)
        ? of(authorId).dropWhile(post -> !post.createdAt().isBefore(time))
        : posts.allOfAuthorBefore(authorId, time);
  }

  private synchronized List<PostRef> newest(String authorId) {
    var known = remembered.get(authorId);
    if (known != null) {
      return known;
    }
    var read = posts.allOfAuthor(authorId).limit(newest).toList();
    kept += read.size();
    remembered.put(authorId, read);
    while (remembered.size() > REMEMBERED || kept > TOGETHER) {
      kept -= remembered.pollFirstEntry().getValue().size();
    }
    return read;
  }

  /** Clears the cache, before rows are checked again. */
  synchronized void clear() {
    remembered.clear();
    kept = 0;
  }
}
