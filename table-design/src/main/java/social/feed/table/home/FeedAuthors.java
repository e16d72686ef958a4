package social.feed.table.home;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.FollowEdges;
import social.feed.table.graph.RetainedPostsStore;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowRef;
import social.feed.table.row.RetainedPosts;

/**
 * The authors whose posts belong in a reader's feed: the reader, followed accounts, and accounts of
 * which earlier posts are retained.
 */
public final class FeedAuthors {
  private static final RecordSchema<RetainedPosts> RETAINED_POSTS =
      RecordSchema.of(RetainedPosts.class);

  private final Table table;
  private final FollowEdges follows;
  private final RetainedPostsStore retained;

  public FeedAuthors(Table table) {
    this.table = table;
    this.follows = new FollowEdges(table);
    this.retained = new RetainedPostsStore(table);
  }

  /**
   * Returns all authors of a feed, the reader first. Costs half a read unit for each account that
   * the reader follows, of which there are at most 5 000, and one for each 4 KB of the listed rows.
   * At most 1 000 more authors have retained posts.
   */
  public List<FeedAuthor> of(String readerId) {
    Map<String, FeedAuthor> authors = new LinkedHashMap<>();
    Stream.of(Stream.of(FeedAuthor.self(readerId)), followed(readerId), retained(readerId))
        .flatMap(some -> some)
        .forEach(author -> authors.merge(author.authorId(), author, FeedAuthor::and));
    return List.copyOf(authors.values());
  }

  /**
   * Returns the given accounts that a reader follows, in their order. Costs one read unit an
   * account: half for the edge and half for retained posts of an earlier edge.
   */
  List<FeedAuthor> among(String readerId, Collection<String> accounts) {
    var edges = accounts.stream().map(id -> Follow.key(readerId, id)).toList();
    Map<String, FeedAuthor> followed = new HashMap<>();
    table.itemsAt(edges, false).stream()
        .map(FeedAuthor::followed)
        .forEach(author -> followed.put(author.authorId(), author));
    var histories = followed.keySet().stream().map(id -> RetainedPosts.key(readerId, id)).toList();
    table.itemsAt(histories, false).stream()
        .map(RETAINED_POSTS::mapToItem)
        .map(FeedAuthor::retained)
        .forEach(retained -> followed.merge(retained.authorId(), retained, FeedAuthor::and));
    return accounts.stream().flatMap(id -> Stream.ofNullable(followed.get(id))).toList();
  }

  /**
   * Returns the authors of a feed who can have posts after a position.
   *
   * @param after the position of the last post read; absent for the whole feed
   */
  List<FeedAuthor> of(String readerId, @Nullable String after) {
    var all = of(readerId);
    if (after == null) {
      return all;
    }
    var time = Timestamps.leading(after);
    return all.stream().filter(author -> !author.since().isAfter(time)).toList();
  }

  private Stream<FeedAuthor> followed(String readerId) {
    Stream.Builder<FeedAuthor> authors = Stream.builder();
    @Nullable String position = null;
    do {
      var page =
          follows.following(readerId, new PageRequest(AccessPattern.FEED_011.maxPage(), position));
      edges(page.items()).forEach(authors::add);
      position = page.next();
    } while (position != null);
    return authors.build();
  }

  /**
   * Reads the edges, because the index does not contain the time to which a feed was backfilled.
   */
  private Stream<FeedAuthor> edges(Collection<FollowRef> refs) {
    var keys = refs.stream().map(ref -> Follow.key(ref.followerId(), ref.followeeId())).toList();
    return table.itemsAt(keys, false).stream().map(FeedAuthor::followed);
  }

  private Stream<FeedAuthor> retained(String readerId) {
    return retained.of(readerId).stream().map(FeedAuthor::retained);
  }
}
