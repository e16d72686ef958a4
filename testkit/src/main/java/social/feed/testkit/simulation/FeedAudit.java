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
 * Each feed holds what it owes, and nothing that it may not hold. What is owed is what {@code
 * feedctl verify} says, by the note of the backfill; and by the model alone, the author's newest
 * posts of all, which no backfill can have missed.
 */
record FeedAudit(ReferenceModel truth, Map<Key, Row> rows, int newest) {
  List<String> violations() {
    var violations = new ArrayList<String>();
    var owed = owed();
    owed.stream()
        .filter(key -> !rows.containsKey(key))
        .forEach(key -> violations.add("feeds lack " + key));
    for (var row : rows.values()) {
      if (row instanceof FeedEntry entry && !mayBe(entry)) {
        violations.add("feeds have " + entry.key());
      }
    }
    return violations;
  }

  private Set<Key> owed() {
    var owed = new HashSet<Key>();
    for (var post : truth.posts.values()) {
      owed.add(FeedEntry.of(post.ref(), post.authorId()).key());
      for (var edge : truth.edges.values()) {
        if (edge.followeeId().equals(post.authorId())
            && isOwed(post, edge)
            && isStored(post, edge.followerId())) {
          owed.add(FeedEntry.of(post.ref(), edge.followerId()).key());
        }
      }
      truth.promised.forEach((_, keys) -> promised(post, keys, owed));
    }
    return owed;
  }

  /** A promise lasts as long as its post. */
  private void promised(Post post, Set<Key> keys, Set<Key> owed) {
    keys.stream().filter(key -> ReferenceModel.isEntryOf(post, key)).forEach(owed::add);
  }

  /** Whether a feed has to hold a post, or a page to read it from its author. */
  boolean isOwed(Post post, Follow modelled) {
    if (!isPushed(post)) {
      return false;
    }
    var since = modelled.createdAt();
    if (rows.get(modelled.key()) instanceof Follow edge
        && edge.feedSince() != null
        && edge.feedSince().isBefore(since)) {
      since = edge.feedSince();
    }
    return !post.createdAt().isBefore(since) || truth.isAmongNewest(post, newest);
  }

  /** What is older than a return from a long absence is read from the authors. */
  private boolean isStored(Post post, String readerId) {
    return !(rows.get(FeedActivity.key(readerId)) instanceof FeedActivity activity)
        || activity.storedSince() == null
        || !post.createdAt().isBefore(activity.storedSince());
  }

  private boolean mayBe(FeedEntry entry) {
    var post = truth.posts.get(entry.postId());
    if (post == null || !FeedEntry.of(post.ref(), entry.readerId()).equals(entry)) {
      return false;
    }
    boolean own = entry.readerId().equals(entry.authorId());
    return own || (isPushed(post) && (isFollowed(entry) || isKept(entry)));
  }

  private boolean isFollowed(FeedEntry entry) {
    return truth.edges.containsKey(Follow.key(entry.readerId(), entry.authorId()));
  }

  private boolean isKept(FeedEntry entry) {
    var kept = truth.kept.get(RetainedPosts.key(entry.readerId(), entry.authorId()));
    return kept != null && kept.covers(entry.createdAt());
  }

  private static boolean isPushed(Post post) {
    return post.visibility() != Visibility.PRIVATE && post.delivery() == FanOutMode.PUSH;
  }
}
