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
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowRef;
import social.feed.table.row.Keys;
import social.feed.table.row.RetainedPosts;

/** Whose posts belong into a reader's feed: own ones, those of the followed, and what was kept. */
public final class FeedAuthors {
  private static final RecordSchema<RetainedPosts> KEPT = RecordSchema.of(RetainedPosts.class);

  private final Table table;
  private final FollowEdges follows;
  private final PartitionQueries partitions;

  public FeedAuthors(Table table) {
    this.table = table;
    this.follows = new FollowEdges(table);
    this.partitions = new PartitionQueries(table);
  }

  /**
   * All authors of a feed, the reader first. Half a read unit for each account that the reader
   * follows, which are at most 5 000, and one for each 4 KB of what is listed. Of at most 1 000
   * more the past is kept.
   */
  public List<FeedAuthor> of(String readerId) {
    Map<String, FeedAuthor> authors = new LinkedHashMap<>();
    Stream.of(Stream.of(FeedAuthor.self(readerId)), followed(readerId), kept(readerId))
        .flatMap(some -> some)
        .forEach(author -> authors.merge(author.authorId(), author, FeedAuthor::and));
    return List.copyOf(authors.values());
  }

  /**
   * Those of some accounts whom a reader follows, in their order. One read unit an account, half
   * for the edge and half for a history that was kept of an earlier one.
   */
  List<FeedAuthor> among(String readerId, Collection<String> accounts) {
    var edges = accounts.stream().map(id -> Follow.key(readerId, id)).toList();
    Map<String, FeedAuthor> followed = new HashMap<>();
    table.itemsAt(edges, false).stream()
        .map(FeedAuthor::followed)
        .forEach(author -> followed.put(author.authorId(), author));
    var histories = followed.keySet().stream().map(id -> RetainedPosts.key(readerId, id)).toList();
    table.itemsAt(histories, false).stream()
        .map(KEPT::mapToItem)
        .map(FeedAuthor::kept)
        .forEach(kept -> followed.merge(kept.authorId(), kept, FeedAuthor::and));
    return accounts.stream().flatMap(id -> Stream.ofNullable(followed.get(id))).toList();
  }

  /**
   * Those authors of a feed of whom it can hold something after a position.
   *
   * @param after of the last post already seen, absent for the whole feed
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

  /** The index does not say how far back a feed was filled. */
  private Stream<FeedAuthor> edges(Collection<FollowRef> refs) {
    var keys = refs.stream().map(ref -> Follow.key(ref.followerId(), ref.followeeId())).toList();
    return table.itemsAt(keys, false).stream().map(FeedAuthor::followed);
  }

  private Stream<FeedAuthor> kept(String readerId) {
    return partitions
        .items(Keys.user(readerId), Keys.KEPT)
        .flatMap(List::stream)
        .map(KEPT::mapToItem)
        .map(FeedAuthor::kept);
  }
}
