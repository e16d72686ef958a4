package social.feed.streams.effect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
    Map<Follow, List<FeedEntry>> owed = new LinkedHashMap<>();
    for (var effect : effects) {
      var edge = effect.edge();
      var refs = newestOf.computeIfAbsent(edge.followeeId(), this::newest);
      if (!refs.isEmpty()) {
        owed.put(edge, owed(edge, refs));
      }
    }
    feeds.deliver(all(owed));
    withdrawUnowed(owed);
  }

  private List<PostRef> newest(String authorId) {
    return posts.ofAuthor(authorId, PageRequest.first(newest)).items().stream()
        .filter(ref -> ref.visibility() != Visibility.PRIVATE)
        .toList();
  }

  /** The note comes first: from then on the entries are owed. */
  private List<FeedEntry> owed(Follow edge, List<PostRef> newest) {
    var since = follows.noteFed(edge, newest.getLast().createdAt());
    // The note of the first time holds, so a replay reaches no further back.
    return since.stream()
        .flatMap(time -> newest.stream().filter(ref -> !ref.createdAt().isBefore(time)))
        .map(ref -> FeedEntry.of(ref, edge.followerId()))
        .toList();
  }

  /** Looked at after writing, as in the fan-out: whoever removes later finds the entries. */
  private void withdrawUnowed(Map<Follow, List<FeedEntry>> owed) {
    var edges = follows.stillThere(owed.keySet());
    var there =
        posts.getAll(all(owed).stream().map(FeedEntry::postId).distinct().toList(), true).keySet();
    var unowed = new ArrayList<FeedEntry>();
    owed.forEach(
        (edge, entries) ->
            entries.stream()
                .filter(entry -> !edges.contains(edge.key()) || !there.contains(entry.postId()))
                .forEach(unowed::add));
    feeds.withdraw(unowed);
  }

  private static List<FeedEntry> all(Map<Follow, List<FeedEntry>> owed) {
    return owed.values().stream().flatMap(List::stream).toList();
  }
}
