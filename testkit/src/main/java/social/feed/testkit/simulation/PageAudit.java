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
import social.feed.testkit.PagingLaw;

/**
 * Checks that consecutive pages of a feed contain all posts that the reader must receive, in order
 * and once. Posts come from stored entries, from pulled authors, and from all authors for the time
 * before a return from absence. Filters that a page applies afterwards are not checked.
 */
record PageAudit(
    ReferenceModel model, Map<Key, Row> rows, FeedAudit feedAudit, HomeFeeds feeds, Instant now) {
  private static final int LIMIT = 7;

  List<String> violations(List<String> readers) {
    var violations = new ArrayList<String>();
    for (var reader : readers) {
      var pages = pages(reader);
      for (var required : required(reader)) {
        if (pages.stream().noneMatch(ref -> ref.postId().equals(required))) {
          violations.add("pages of " + reader + " lack " + required);
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
    var positions = new HashSet<String>();
    @Nullable String position = null;
    do {
      PagingLaw.continuesOnce(positions, position);
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
        .filter(author -> model.edges.containsKey(Follow.key(reader, author.authorId())))
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

  private Set<String> required(String reader) {
    var required = new HashSet<String>();
    for (var post : model.posts.values()) {
      var edge = model.edges.get(Follow.key(reader, post.authorId()));
      if (post.authorId().equals(reader)
          || (edge != null && (feedAudit.isRequired(post, edge) || isPulled(post, edge)))) {
        required.add(post.postId());
      }
    }
    return required;
  }

  private static boolean isPulled(Post post, Follow edge) {
    return post.delivery() == FanOutMode.PULL
        && post.visibility() != Visibility.PRIVATE
        && !post.createdAt().isBefore(edge.createdAt());
  }
}
