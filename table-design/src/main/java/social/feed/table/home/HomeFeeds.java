package social.feed.table.home;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
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
import social.feed.table.row.PostRef;
import social.feed.table.row.PulledAuthor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * The store of home feeds: for each reader, references to posts, newest first. The caller must
 * check visibility, because an entry can outlive its edge or its post for a moment.
 */
public final class HomeFeeds {
  private final Table table;
  private final PagedQueries lists;
  private final PartitionQueries partitions;
  private final FeedAuthors authors;
  private final Gate gate;
  private final PulledReads reads;

  /**
   * Admits reads below the stored entries, or refuses them with an exception. A request of a reader
   * who follows more than 200 accounts asks once, before it reads from all of them. That costs up
   * to one read unit for each account. What the request reads after that costs a unit or two for
   * each page.
   */
  @FunctionalInterface
  public interface Gate {
    Page<FeedRef> admit(String readerId, Supplier<Page<FeedRef>> read);
  }

  /**
   * Reads a page of an author's pulled posts. All followers of the author need the same newest
   * posts, so a server may read them once for many requests.
   */
  @FunctionalInterface
  public interface PulledReads {
    /**
     * @param stored reads a page of these posts from the table
     */
    Page<FeedRef> page(
        PulledAuthor author, PageRequest request, Function<PageRequest, Page<FeedRef>> stored);
  }

  /** Creates a store that admits every page and shares no reads. */
  public HomeFeeds(Table table) {
    this(table, (_, read) -> read.get(), (_, request, stored) -> stored.apply(request));
  }

  public HomeFeeds(Table table, Gate gate, PulledReads reads) {
    this.table = table;
    this.gate = gate;
    this.reads = reads;
    this.lists = new PagedQueries(table);
    this.partitions = new PartitionQueries(table);
    this.authors = new FeedAuthors(table);
  }

  /**
   * Returns references of a reader's feed, newest first, for a single page. A request that may need
   * several uses {@link #of(FeedView)}.
   */
  public Page<FeedRef> of(FeedView view, PageRequest request) {
    return of(view).apply(request);
  }

  /**
   * Returns a reader's feed for one request, which reads one or more pages one after the other. A
   * page has references, newest first. It merges stored entries with the posts of pulled authors.
   * Below the stored entries it contains the posts of all authors whom the reader follows, see
   * {@link ReconstructedFeed}. The position is the sort key of GSI3 or GSI1. Costs one query for
   * the entries, and one for each pulled author whose read is not shared, each half a read unit for
   * 4 KB. Up to 16 queries run at once.
   *
   * @return reads a full page, or a shorter one with a position to continue from
   */
  @Serves(AccessPattern.FEED_003)
  public Function<PageRequest, Page<FeedRef>> of(FeedView view) {
    var own = new StoredFeed(part -> stored(view.readerId(), part), past(view), view.storedSince());
    var pulled = view.pulled().stream().map(this::shared);
    var sources = Stream.<FeedSource>concat(Stream.of(own), pulled).toList();
    return request -> FeedMerge.read(sources, request, request.limit());
  }

  private FeedSource shared(PulledAuthor author) {
    var stored = new PulledPosts(lists, author);
    return request -> reads.page(author, request, stored::page);
  }

  private ReconstructedFeed past(FeedView view) {
    return new ReconstructedFeed(lists, authors, view, gate);
  }

  /**
   * Returns references of the stored entries in a reader's feed, newest first. The position is the
   * sort key of GSI3.
   */
  public Page<FeedRef> stored(String readerId, PageRequest request) {
    var page =
        lists.ofIndex(AccessPattern.FEED_003, FeedProjection.class, Keys.feed(readerId), request);
    return new Page<>(
        page.slots().stream().map(HomeFeeds::ref).toList(), page.next(), page.examined());
  }

  /**
   * Returns references of one author's pulled posts, newest first. The position is the sort key of
   * GSI1. A page can be shorter than requested and still have a position to continue from. Costs
   * half a read unit for each 4 KB.
   */
  public Page<FeedRef> pulled(PulledAuthor author, PageRequest request) {
    return new PulledPosts(lists, author).page(request);
  }

  /**
   * Returns the entries of a reader's feed since a time, newest first, from their index. The stream
   * reads pages of up to 1 MB as they are consumed. Costs half a read unit for each 4 KB.
   */
  public Stream<List<FeedEntry>> entries(String readerId, Instant since) {
    var request =
        QueryRequest.builder()
            .tableName(table.name())
            .indexName(Index.FEED_BY_USER.indexName())
            .keyConditionExpression("#feed = :feed AND #at >= :since")
            .expressionAttributeNames(
                Map.of(
                    "#feed", Index.FEED_BY_USER.partitionKey(),
                    "#at", Index.FEED_BY_USER.sortKey()))
            .expressionAttributeValues(
                Map.of(
                    ":feed", AttributeValue.fromS(Keys.feed(readerId)),
                    ":since", AttributeValue.fromS(Keys.at(since))))
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

  /** Returns whether a reader's feed contains a post. Strongly consistent; costs one read unit. */
  public boolean holds(String readerId, PostRef post) {
    return table.get(FeedEntry.of(post, readerId).key()).isPresent();
  }

  /**
   * Returns the ids of the posts whose given entries exist. Strongly consistent; costs one read
   * unit an entry.
   */
  public Set<String> present(Collection<FeedEntry> entries) {
    return table.itemsAt(entries.stream().map(FeedEntry::key).toList(), true).stream()
        .map(KeyAttributes::key)
        .map(key -> Keys.fannedOutPost(key.partition()))
        .collect(Collectors.toSet());
  }

  /**
   * Returns the readers whose feeds contain a post. Strongly consistent; costs one query a shard,
   * at one read unit for 4 KB.
   */
  public Set<String> holders(String postId, int shards) {
    return holders(
        postId, shards, partition -> partitions.keys(partition, Keys.FEEDS).flatMap(List::stream));
  }

  /** Returns the readers with ids in a range, both ends included, whose feeds contain a post. */
  public Set<String> holders(String postId, int shards, String firstReader, String lastReader) {
    return holders(
        postId,
        shards,
        partition ->
            partitions
                .keysBetween(partition, Keys.feed(firstReader), Keys.feed(lastReader))
                .stream());
  }

  private static Set<String> holders(
      String postId, int shards, Function<String, Stream<Key>> partition) {
    return IntStream.range(0, shards)
        .mapToObj(shard -> Keys.fanout(postId, shard))
        .flatMap(partition)
        .map(key -> key.sort().substring(Keys.FEEDS.length()))
        .collect(Collectors.toSet());
  }

  /** Removes a post from some readers' feeds. Costs two write units an entry. */
  public void withdraw(String postId, int shards, Collection<String> readerIds) {
    table.deleteAll(
        readerIds.stream().map(reader -> FeedEntry.key(postId, shards, reader)).toList());
  }

  /** Writes entries to feeds. An existing entry stays the same. Costs two write units an entry. */
  public void deliver(Collection<FeedEntry> entries) {
    table.putAll(entries);
  }

  /** Removes single entries from feeds. Costs two write units an entry. */
  public void withdraw(Collection<FeedEntry> entries) {
    table.deleteAll(entries.stream().map(FeedEntry::key).toList());
  }

  private static Positioned<FeedRef> ref(Positioned<FeedProjection> slot) {
    return slot.with(FeedRef.at(slot.position(), slot.item().authorId()));
  }
}
