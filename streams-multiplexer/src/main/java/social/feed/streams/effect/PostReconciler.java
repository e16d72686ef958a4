package social.feed.streams.effect;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;

/**
 * Reflects posts elsewhere by what they are now, not by what a record says they were: looks again
 * afterwards, strongly consistent, and once more wherever the visibility has changed meanwhile. So
 * the last of several that run beside each other leaves what is right, and a replay does as well.
 */
final class PostReconciler {
  private static final int MAX_ATTEMPTS = 8;

  private final Posts posts;

  PostReconciler(Posts posts) {
    this.posts = posts;
  }

  /**
   * Two read units a post.
   *
   * @param some as records of the stream have them
   * @param reflect is given posts that exist
   * @param gone is given those that do not, since an earlier attempt may have reflected them
   * @throws ThrottledException when one is changed all the time
   */
  void reflect(Collection<Post> some, Consumer<Collection<Post>> reflect, Consumer<Post> gone) {
    var pending = posts.getAll(some.stream().map(Post::postId).toList(), true);
    for (var post : some) {
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
