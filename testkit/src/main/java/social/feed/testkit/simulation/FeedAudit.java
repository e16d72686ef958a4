package social.feed.testkit.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.RetainedPosts;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;

/**
 * Checks that each feed has all required entries and only allowed ones. The required entries are
 * those of {@code feedctl verify}, which start at the recorded time of the backfill. In addition
 * the model alone requires the author's newest posts overall, which every backfill covers.
 */
record FeedAudit(ReferenceModel model, Map<Key, Row> rows, int newest) {
  List<String> violations() {
    var violations = new ArrayList<String>();
    var required = required();
    required.stream()
        .filter(key -> !rows.containsKey(key))
        .forEach(key -> violations.add("feeds lack " + key));
    for (var row : rows.values()) {
      if (row instanceof FeedEntry entry && !isAllowed(entry)) {
        violations.add("feeds have " + entry.key());
      }
    }
    return violations;
  }

  private Set<Key> required() {
    var required = new HashSet<Key>();
    for (var post : model.posts.values()) {
      required.add(FeedEntry.of(post.ref(), post.authorId()).key());
      for (var edge : model.edges.values()) {
        if (edge.followeeId().equals(post.authorId())
            && isRequired(post, edge)
            && isStored(post, edge.followerId())) {
          required.add(FeedEntry.of(post.ref(), edge.followerId()).key());
        }
      }
      model.guaranteedEntries.forEach((_, keys) -> guaranteed(post, keys, required));
    }
    return required;
  }

  /** Requires guaranteed entries as long as their post exists. */
  private void guaranteed(Post post, Set<Key> keys, Set<Key> required) {
    keys.stream().filter(key -> ReferenceModel.isEntryOf(post, key)).forEach(required::add);
  }

  /** Returns whether a feed must contain a post, or a page must read it from its author. */
  boolean isRequired(Post post, Follow modelled) {
    if (!isPushed(post)) {
      return false;
    }
    var since = modelled.createdAt();
    if (rows.get(modelled.key()) instanceof Follow edge
        && edge.feedSince() != null
        && edge.feedSince().isBefore(since)) {
      since = edge.feedSince();
    }
    return !post.createdAt().isBefore(since) || model.isAmongNewest(post, newest);
  }

  /**
   * Returns whether a post must be stored. Posts from before a return after a long absence are read
   * from their authors.
   */
  private boolean isStored(Post post, String readerId) {
    return !(rows.get(FeedActivity.key(readerId)) instanceof FeedActivity activity)
        || activity.storedSince() == null
        || !post.createdAt().isBefore(activity.storedSince());
  }

  private boolean isAllowed(FeedEntry entry) {
    var post = model.posts.get(entry.postId());
    if (post == null || !FeedEntry.of(post.ref(), entry.readerId()).equals(entry)) {
      return false;
    }
    boolean isOwn = entry.readerId().equals(entry.authorId());
    return isOwn || (isPushed(post) && (isFollowed(entry) || isRetained(entry)));
  }

  private boolean isFollowed(FeedEntry entry) {
    return model.edges.containsKey(Follow.key(entry.readerId(), entry.authorId()));
  }

  private boolean isRetained(FeedEntry entry) {
    var retained = model.retainedPosts.get(RetainedPosts.key(entry.readerId(), entry.authorId()));
    return retained != null && retained.covers(entry.createdAt());
  }

  private static boolean isPushed(Post post) {
    return post.visibility() != Visibility.PRIVATE && post.delivery() == FanOutMode.PUSH;
  }
}
