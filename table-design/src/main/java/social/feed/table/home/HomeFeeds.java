package social.feed.table.home;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedProjection;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.PulledAuthor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Home feeds: for each reader the references of posts, newest first. What may be shown is decided
 * by whoever reads: an entry can outlive the edge or the post that it came from for a moment.
 */
public final class HomeFeeds {
  private final Table table;
  private final PagedQueries lists;
  private final PartitionQueries partitions;
  private final FeedAuthors authors;

  public HomeFeeds(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
    this.partitions = new PartitionQueries(table);
    this.authors = new FeedAuthors(table);
  }

  /**
   * References of a reader's feed, newest first: the entries in it, merged with the posts of
   * authors that are pulled; and below what is stored the posts of all whom the reader follows, see
   * {@link ReconstructedFeed}. Position is the sort key of GSI3 or GSI1. One query for the entries
   * and one a pulled author, each half a read unit for 4 KB.
   *
   * @return as many as were wanted, or fewer with a position to go on from
   */
  @Serves(AccessPattern.FEED_003)
  public Page<FeedRef> of(FeedView view, PageRequest request) {
    var own = new StoredFeed(part -> stored(view.readerId(), part), past(view), view.storedSince());
    var pulled = view.pulled().stream().map(author -> new PulledPosts(lists, author));
    var pages = Stream.concat(Stream.of(own), pulled).map(part -> part.page(request)).toList();
    return FeedMerge.of(pages, request.limit());
  }

  private ReconstructedFeed past(FeedView view) {
    return new ReconstructedFeed(lists, authors, view.readerId());
  }

  /** References of the entries in a reader's feed, newest first; position is the GSI3 sort key. */
  public Page<FeedRef> stored(String readerId, PageRequest request) {
    var page =
        lists.ofIndex(AccessPattern.FEED_003, FeedProjection.class, Keys.feed(readerId), request);
    return new Page<>(
        page.slots().stream().map(HomeFeeds::ref).toList(), page.next(), page.examined());
  }

  /**
   * The references of one author's pulled posts, newest first; position is the sort key of GSI1. A
   * page may hold fewer than were wanted and still have a position to go on from. Half a read unit
   * for each 4 KB.
   */
  public Page<FeedRef> pulled(PulledAuthor author, PageRequest request) {
    return new PulledPosts(lists, author).page(request);
  }

  /**
   * All entries of a reader's feed, newest first, as its index has them, in pages of up to 1 MB
   * that are read as they are taken. Half a read unit for each 4 KB.
   */
  public Stream<List<FeedEntry>> entries(String readerId) {
    var request =
        QueryRequest.builder()
            .tableName(table.name())
            .indexName(Index.FEED_BY_USER.indexName())
            .keyConditionExpression("#feed = :feed")
            .expressionAttributeNames(Map.of("#feed", Index.FEED_BY_USER.partitionKey()))
            .expressionAttributeValues(Map.of(":feed", AttributeValue.fromS(Keys.feed(readerId))))
            .scanIndexForward(false)
            .build();
    return table.client().queryPaginator(request).stream()
        .map(page -> page.items().stream().map(item -> entry(readerId, item)).toList());
  }

  private static FeedEntry entry(String readerId, Map<String, AttributeValue> item) {
    var position = text(item, Index.FEED_BY_USER.sortKey());
    return FeedEntry.at(position, readerId, FeedRef.at(position, text(item, FeedEntry.AUTHOR_ID)));
  }

  private static String text(Map<String, AttributeValue> item, String attribute) {
    return requireNonNull(item.get(attribute), attribute).s();
  }

  /** Whether a reader's feed holds a post, strongly consistent. One read unit. */
  public boolean holds(String readerId, PostRef post) {
    return table.get(FeedEntry.of(post, readerId).key()).isPresent();
  }

  /** The posts of those of some entries that are there, strongly. One read unit each. */
  public Set<String> present(Collection<FeedEntry> entries) {
    return table.itemsAt(entries.stream().map(FeedEntry::key).toList(), true).stream()
        .map(KeyAttributes::key)
        .map(key -> Keys.fannedOutPost(key.partition()))
        .collect(Collectors.toSet());
  }

  /** Who has a post in the feed, strongly consistent. One query a shard, a read unit for 4 KB. */
  public Set<String> holders(String postId, int shards) {
    return holders(
        postId, shards, partition -> partitions.keys(partition, Keys.FEEDS).flatMap(List::stream));
  }

  /** The same of readers whose ids lie between two, both included. */
  public Set<String> holders(String postId, int shards, String firstReader, String lastReader) {
    return holders(
        postId,
        shards,
        partition ->
            partitions.range(partition, Keys.feed(firstReader), Keys.feed(lastReader)).stream()
                .map(KeyAttributes::key));
  }

  private static Set<String> holders(
      String postId, int shards, Function<String, Stream<Key>> partition) {
    return IntStream.range(0, shards)
        .mapToObj(shard -> Keys.fanout(postId, shard))
        .flatMap(partition)
        .map(key -> key.sort().substring(Keys.FEEDS.length()))
        .collect(Collectors.toSet());
  }

  /** Takes a post out of some readers' feeds. Two write units an entry. */
  public void withdraw(String postId, int shards, Collection<String> readerIds) {
    table.deleteAll(
        readerIds.stream().map(reader -> FeedEntry.key(postId, shards, reader)).toList());
  }

  /** Puts entries into feeds; one that is there stays the same. Two write units each. */
  public void deliver(Collection<FeedEntry> entries) {
    table.putAll(entries);
  }

  /** Takes single entries out of feeds. Two write units each. */
  public void withdraw(Collection<FeedEntry> entries) {
    table.deleteAll(entries.stream().map(FeedEntry::key).toList());
  }

  /** Takes a post out of every feed. One query a shard; two write units an entry. */
  public void withdrawPost(String postId, int shards) {
    for (int shard = 0; shard < shards; shard++) {
      partitions.keys(Keys.fanout(postId, shard), Keys.FEEDS).forEach(table::deleteAll);
    }
  }

  /**
   * Takes a post out of every feed but its author's own. One query a shard; two write units an
   * entry.
   */
  public void withdrawFromOthers(Post post) {
    var own = Keys.feed(post.authorId());
    for (int shard = 0; shard < post.feedShards(); shard++) {
      partitions
          .keys(Keys.fanout(post.postId(), shard), Keys.FEEDS)
          .map(keys -> keys.stream().filter(key -> !key.sort().equals(own)).toList())
          .forEach(table::deleteAll);
    }
  }

  private static Positioned<FeedRef> ref(Positioned<FeedProjection> slot) {
    return slot.with(FeedRef.at(slot.position(), slot.item().authorId()));
  }
}
