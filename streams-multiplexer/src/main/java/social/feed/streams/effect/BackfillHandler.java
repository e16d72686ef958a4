package social.feed.streams.effect;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import social.feed.streams.plan.Effect.Backfill;
import social.feed.table.graph.Follows;
import social.feed.table.home.HomeFeeds;
import social.feed.table.page.PageRequest;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.PostRef;
import social.feed.table.row.Visibility;

/**
 * Puts an author's newest posts into a new follower's feed, at their own time, and notes on the
 * edge how far back it went. Half a read unit a batch and author, and where there are posts two
 * read and two write units each, and one for the note.
 */
final class BackfillHandler implements EffectHandler<Backfill> {
  private final Posts posts;
  private final Follows follows;
  private final HomeFeeds feeds;
  private final int newest;

  /**
   * @param newest how many posts a new follower gets, at most a page
   */
  BackfillHandler(Posts posts, Follows follows, HomeFeeds feeds, int newest) {
    this.posts = posts;
    this.follows = follows;
    this.feeds = feeds;
    this.newest = newest;
  }

  @Override
  public void apply(List<Backfill> effects) {
    Map<String, List<PostRef>> newestOf = new HashMap<>();
    for (var effect : effects) {
      var edge = effect.edge();
      var refs = newestOf.computeIfAbsent(edge.followeeId(), this::newest);
      if (!refs.isEmpty()) {
        fill(edge, refs);
      }
    }
  }

  private List<PostRef> newest(String authorId) {
    return posts.ofAuthor(authorId, PageRequest.first(newest)).items().stream()
        .filter(ref -> ref.visibility() != Visibility.PRIVATE)
        .toList();
  }

  /** The note comes first: from then on the entries are owed. */
  private void fill(Follow edge, List<PostRef> newest) {
    var since = follows.noteFed(edge, newest.getLast().createdAt());
    if (since.isEmpty()) {
      return;
    }
    // The note of the first time holds, so a replay reaches no further back.
    var refs = newest.stream().filter(ref -> !ref.createdAt().isBefore(since.get())).toList();
    feeds.deliver(entries(edge, refs));
    // Looked at after writing, as in the fan-out: whoever removes later finds the entries.
    if (follows.get(edge.followerId(), edge.followeeId()).isEmpty()) {
      feeds.withdraw(entries(edge, refs));
      return;
    }
    var there = posts.getAll(refs.stream().map(PostRef::postId).toList(), true).keySet();
    feeds.withdraw(
        entries(edge, refs.stream().filter(ref -> !there.contains(ref.postId())).toList()));
  }

  private static List<FeedEntry> entries(Follow edge, List<PostRef> refs) {
    return refs.stream().map(ref -> FeedEntry.of(ref, edge.followerId())).toList();
  }
}
