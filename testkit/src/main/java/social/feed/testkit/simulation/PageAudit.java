package social.feed.testkit.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;

/**
 * Pages of feeds, one after the other, bring all that a reader is owed, in order and once: what is
 * stored, what is pulled, and what is read from the authors since the reader was away. What a page
 * then hides is not its part.
 */
record PageAudit(
    ReferenceModel truth, Map<Key, Row> rows, FeedAudit stored, HomeFeeds feeds, Instant now) {
  private static final int LIMIT = 7;

  List<String> violations(List<String> readers) {
    var violations = new ArrayList<String>();
    for (var reader : readers) {
      var pages = pages(reader);
      for (var owed : owed(reader)) {
        if (pages.stream().noneMatch(ref -> ref.postId().equals(owed))) {
          violations.add("pages of " + reader + " lack " + owed);
        }
      }
      var ids = new HashSet<String>();
      @Nullable Instant before = null;
      for (var ref : pages) {
        if (!ids.add(ref.postId())) {
          violations.add("pages of " + reader + " repeat " + ref.postId());
        }
        if (before != null && before.isBefore(ref.createdAt())) {
          violations.add("pages of " + reader + " are out of order at " + ref.postId());
        }
        before = ref.createdAt();
      }
    }
    return violations;
  }

  private List<FeedRef> pages(String reader) {
    var view = new FeedView(reader, pulled(reader), storedSince(reader));
    var refs = new ArrayList<FeedRef>();
    @Nullable String position = null;
    do {
      var page = feeds.of(view, new PageRequest(LIMIT, position));
      refs.addAll(page.items());
      position = page.next();
    } while (position != null);
    return refs;
  }

  private List<PulledAuthor> pulled(String reader) {
    return rows.values().stream()
        .filter(PulledAuthor.class::isInstance)
        .map(PulledAuthor.class::cast)
        .filter(author -> truth.edges.containsKey(Follow.key(reader, author.authorId())))
        .toList();
  }

  private Instant storedSince(String reader) {
    var horizon = FeedEntry.horizon(now);
    return rows.get(FeedActivity.key(reader)) instanceof FeedActivity activity
            && activity.storedSince() != null
            && activity.storedSince().isAfter(horizon)
        ? activity.storedSince()
        : horizon;
  }

  private Set<String> owed(String reader) {
    var owed = new HashSet<String>();
    for (var post : truth.posts.values()) {
      var edge = truth.edges.get(Follow.key(reader, post.authorId()));
      if (post.authorId().equals(reader)
          || (edge != null && (stored.isOwed(post, edge) || isPulled(post, edge)))) {
        owed.add(post.postId());
      }
    }
    return owed;
  }

  private static boolean isPulled(Post post, Follow edge) {
    return post.delivery() == FanOutMode.PULL
        && post.visibility() != Visibility.PRIVATE
        && !post.createdAt().isBefore(edge.createdAt());
  }
}
