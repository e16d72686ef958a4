package social.feed.streams.effect;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;

/**
 * Reflects posts in other rows by their present state, not by the state in a stream record. Reads
 * them again afterwards, strongly consistent, and repeats where the visibility has changed since.
 * So the last of several concurrent effects leaves the right state, and a replay does as well.
 */
final class PostReconciler {
  private static final int MAX_ATTEMPTS = 8;

  private final Posts posts;

  PostReconciler(Posts posts) {
    this.posts = posts;
  }

  /**
   * Reflects posts. Two read units a post.
   *
   * @param recorded as the stream records have them
   * @param reflect is called with posts that exist
   * @param gone is called with posts that do not exist; an earlier attempt may have reflected them
   * @throws ThrottledException when a post changes with each attempt
   */
  void reflect(Collection<Post> recorded, Consumer<Collection<Post>> reflect, Consumer<Post> gone) {
    var pending = posts.getAll(recorded.stream().map(Post::postId).toList(), true);
    for (var post : recorded) {
      if (!pending.containsKey(post.postId())) {
        gone.accept(post);
      }
    }
    for (int attempt = 0; !pending.isEmpty(); attempt++) {
      if (attempt == MAX_ATTEMPTS) {
        throw new ThrottledException("Visibility of " + pending.keySet(), pending.size(), attempt);
      }
      reflect.accept(pending.values());
      pending = changed(pending, gone);
    }
  }

  private Map<String, Post> changed(Map<String, Post> reflected, Consumer<Post> gone) {
    var now = posts.getAll(reflected.keySet(), true);
    Map<String, Post> changed = new HashMap<>();
    for (var before : reflected.values()) {
      var after = now.get(before.postId());
      if (after == null) {
        gone.accept(before);
      } else if (after.visibility() != before.visibility()) {
        changed.put(after.postId(), after);
      }
    }
    return changed;
  }
}
