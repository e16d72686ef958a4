package social.feed.streams.effect;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.table.home.FanOuts;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.post.PostCleanUps.Part;
import social.feed.table.post.PostTags;
import social.feed.table.post.Posts;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.Visibility;

/**
 * Reflects in tag rows and feeds whether posts are private. A post that became private leaves feeds
 * in parts.
 */
final class VisibilityReflection {
  private final PostReconciler reconciler;
  private final Posts posts;
  private final PostTags tags;
  private final FanOuts fanOuts;
  private final PostFeeds postFeeds;
  private final PostCleaner cleaner;

  VisibilityReflection(EffectContext context) {
    this.reconciler = context.postReconciler;
    this.posts = context.posts;
    this.tags = context.tags;
    this.fanOuts = context.fanOuts;
    this.postFeeds = context.postFeeds;
    this.cleaner = context.cleaner;
  }

  /**
   * Reflects the present state of posts that have changed. Costs the same as {@link PostFeeds}, two
   * write units a tag, and one that notes that the effect has begun.
   *
   * @param recorded as the stream records have them
   * @throws ThrottledException when a post changes with each attempt
   */
  void reflect(Collection<Post> recorded) {
    var parts = new HashMap<String, Part>();
    reconciler.reflect(recorded, changed -> reflect(changed, parts), cleaner::removeAll);
    recorded.forEach(
        post -> cleaner.order(post, Cause.HIDDEN, parts.getOrDefault(post.postId(), Part.NONE)));
  }

  /**
   * Removes the next entries of a private post from feeds of others. If the post changed meanwhile
   * and the effect of that change has begun, reflects the change as well. Two read units, and those
   * of the part.
   *
   * @param after where the part begins
   * @throws ThrottledException when the post changes with each attempt
   */
  Part withdraw(Post hidden, Key after) {
    var parts = new HashMap<String, Part>();
    reconciler.reflect(
        List.of(hidden),
        // The first one is this part. Another one follows if the post has changed.
        changed -> parts.isEmpty() ? withdraw(changed, after, parts) : reflect(changed, parts),
        cleaner::removeAll);
    return parts.getOrDefault(hidden.postId(), Part.NONE);
  }

  /**
   * @param parts gets what was removed of each post that is private now
   */
  private Collection<Post> reflect(Collection<Post> changed, Map<String, Part> parts) {
    // Before the first write: an earlier effect that may still write then sees that it must check.
    changed.forEach(posts::beginReflection);
    tags.write(changed);
    var written =
        changed.stream()
            .filter(post -> !post.tags().isEmpty())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    written.addAll(withdraw(changed, null, parts));
    var shown = changed.stream().filter(post -> !isPrivate(post)).toList();
    // The earlier plan records that the whole audience was served.
    shown.forEach(post -> fanOuts.forget(post.postId()));
    var delivered =
        postFeeds.push(shown, shown.stream().map(Post::postId).collect(Collectors.toSet()));
    shown.stream().filter(post -> delivered.contains(post.postId())).forEach(written::add);
    return written;
  }

  /** Removes a part of each private post, and returns those of which there was something. */
  private Collection<Post> withdraw(
      Collection<Post> changed, @Nullable Key after, Map<String, Part> parts) {
    var written = new LinkedHashSet<Post>();
    for (var post : changed) {
      var part = isPrivate(post) ? cleaner.withdraw(post, after) : Part.NONE;
      parts.put(post.postId(), part);
      if (part.hadRows()) {
        written.add(post);
      }
    }
    return written;
  }

  private static boolean isPrivate(Post post) {
    return post.visibility() == Visibility.PRIVATE;
  }
}
