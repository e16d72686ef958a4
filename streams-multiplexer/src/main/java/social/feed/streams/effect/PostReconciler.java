package social.feed.streams.effect;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;

/**
 * Reflects posts in other rows by their present state, not by the state in a stream record. Reads
 * them again afterwards, and repeats where the visibility has changed since. So the last of several
 * concurrent effects leaves the right state, and a replay does as well.
 *
 * <p>A change between private and not private has an effect of its own. A post whose last such
 * change came after the record, or while it was reflected, is left to that effect, unless the
 * effect has begun already. So a post that keeps changing does not hold up the batch.
 */
final class PostReconciler {
  private final Posts posts;

  PostReconciler(Posts posts) {
    this.posts = posts;
  }

  /**
   * Reflects posts. One read unit a post, two where something was written for it.
   *
   * @param recorded as the stream records have them; a post that has an effect to come since is
   *     left out
   * @param reflect is called with posts that exist; returns those for which it wrote something that
   *     their visibility must allow. Only these are read again
   * @param gone is called with posts that do not exist; an earlier attempt may have reflected them
   * @throws ThrottledException when a post changes with each attempt
   */
  void reflect(
      Collection<Post> recorded, UnaryOperator<Collection<Post>> reflect, Consumer<Post> gone) {
    var present = now(recorded, gone);
    var due = new LinkedHashMap<String, Post>();
    for (var post : recorded) {
      Optional.ofNullable(present.get(post.postId()))
          .filter(now -> !now.awaitsReflectionSince(post))
          .ifPresent(now -> due.put(now.postId(), now));
    }
    Settle.all(
        "Visibility of posts",
        due.values(),
        before -> {
          var written = reflect.apply(before);
          var now = now(written, gone);
          return written.stream().flatMap(post -> changed(post, now)).toList();
        });
  }

  private Map<String, Post> now(Collection<Post> before, Consumer<Post> gone) {
    if (before.isEmpty()) {
      return Map.of();
    }
    var now = posts.getAll(before.stream().map(Post::postId).toList(), true);
    before.stream().filter(post -> !now.containsKey(post.postId())).forEach(gone);
    return now;
  }

  private static Stream<Post> changed(Post before, Map<String, Post> now) {
    return Optional.ofNullable(now.get(before.postId()))
        .filter(after -> after.visibility() != before.visibility())
        .filter(after -> !after.awaitsReflectionSince(before))
        .stream();
  }

  /**
   * Reflects one post that others may read or not. Two read units.
   *
   * @param aspect what of a post the writes depend on, apart from whether others may read it
   * @param reflect is called with the post, or empty when it was deleted or made private
   * @param wrote whether the result of {@code reflect} requires that the post is read again
   * @return the result of the last call of {@code reflect}
   * @throws ThrottledException when the post changes with each attempt
   */
  <R> R reflect(
      String postId,
      Function<Post, ?> aspect,
      Function<Optional<Post>, R> reflect,
      Predicate<R> wrote) {
    return Settle.one(
        "Visibility of " + postId,
        () -> posts.get(postId),
        (before, after) ->
            !shown(after).map(aspect).equals(shown(before).map(aspect)) && !isLeft(before, after),
        post -> reflect.apply(shown(post)),
        wrote);
  }

  private static Optional<Post> shown(Optional<Post> post) {
    return post.filter(present -> present.visibility() != Visibility.PRIVATE);
  }

  private static boolean isLeft(Optional<Post> before, Optional<Post> after) {
    return before.isPresent()
        && after.filter(post -> post.awaitsReflectionSince(before.get())).isPresent();
  }
}
