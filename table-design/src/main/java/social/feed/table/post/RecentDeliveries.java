package social.feed.table.post;

import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.RecentDelivery;
import social.feed.table.row.Visibility;

/**
 * The posts of an author that were delivered lately, strongly consistent. The author's list in GSI1
 * may not show them yet. With them it lacks no post that a delivery has written into feeds, as long
 * as the index lags less than {@link Retention#RECENT_DELIVERIES}, or less than the last {@value
 * #MAX} deliveries of the author took.
 */
public final class RecentDeliveries {
  /**
   * Notes of an author that are read; bounds what an author who posts all the time costs others.
   */
  public static final int MAX = 500;

  /** Posts that are read at once. */
  private static final int PAGE = 25;

  private static final RecordSchema<RecentDelivery> SCHEMA = RecordSchema.of(RecentDelivery.class);

  /** The order of GSI1. */
  private static final Comparator<PostRef> NEWEST_FIRST =
      Comparator.comparing(PostRef::createdAt).thenComparing(PostRef::postId).reversed();

  private final Table table;
  private final PartitionQueries partitions;
  private final Posts posts;
  private final Clock clock;

  public RecentDeliveries(Table table, Clock clock) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
    this.posts = new Posts(table);
    this.clock = clock;
  }

  /**
   * Notes that posts are about to be delivered. Must come before the follow edges are read. One
   * write unit for each post that is pushed and not private, none for others.
   */
  public void begin(Collection<Post> delivered) {
    var now = Timestamps.now(clock);
    table.putAll(
        delivered.stream()
            .filter(post -> post.delivery() == FanOutMode.PUSH)
            .filter(post -> post.visibility() != Visibility.PRIVATE)
            .map(post -> RecentDelivery.of(post, now))
            .toList());
  }

  /**
   * Returns the posts of an author that were delivered lately, as they were then, newest first.
   * Some of them may be deleted. One read unit, and one more for each 4 KB after the first, some 14
   * deliveries.
   */
  public List<PostRef> of(String authorId) {
    var since = clock.instant().minus(Retention.RECENT_DELIVERIES);
    return partitions
        .newest(Keys.user(authorId), Keys.deliveredSince(since), Keys.DELIVERIES + Keys.LAST, MAX)
        .stream()
        .map(SCHEMA::mapToItem)
        .map(RecentDelivery::post)
        .collect(Collectors.toMap(PostRef::postId, ref -> ref, (later, _) -> later))
        .values()
        .stream()
        .sorted(NEWEST_FIRST)
        .toList();
  }

  /** Returns those of some posts that exist, as they are now. One read unit each. */
  public List<PostRef> asTheyAre(List<PostRef> refs) {
    Map<String, Post> now = posts.getAll(refs.stream().map(PostRef::postId).toList(), true);
    return refs.stream()
        .flatMap(ref -> Stream.ofNullable(now.get(ref.postId())))
        .map(Post::ref)
        .toList();
  }

  /**
   * Returns all posts of an author, newest first, each once, with some that were deleted lately.
   * GSI1 is read page by page as the stream is consumed: half a read unit for each 4 KB. The reads
   * of {@link #of} come first.
   */
  public Stream<PostRef> withAllOfAuthor(String authorId) {
    var recent = of(authorId);
    return merge(recent.iterator(), ids(recent), posts.allOfAuthor(authorId));
  }

  /**
   * As {@link #withAllOfAuthor}, but those that were delivered lately are as they are now, and none
   * of them is deleted. One more read unit for each of them, read as the stream is consumed.
   */
  public Stream<PostRef> withAllOfAuthorAsTheyAre(String authorId) {
    var recent = of(authorId);
    var now =
        recent.stream().gather(Gatherers.windowFixed(PAGE)).flatMap(ref -> asTheyAre(ref).stream());
    return merge(now.iterator(), ids(recent), posts.allOfAuthor(authorId));
  }

  private static Set<String> ids(List<PostRef> refs) {
    return refs.stream().map(PostRef::postId).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Merges both lists, newest first. Both are consumed as the result is.
   *
   * @param known the ids that are left out of the second list
   */
  static Stream<PostRef> merge(
      Iterator<PostRef> recent, Set<String> known, Stream<PostRef> listed) {
    var first = new Ahead(recent);
    var second = new Ahead(listed.filter(ref -> !known.contains(ref.postId())).iterator());
    return Stream.generate(() -> next(first, second))
        .takeWhile(Optional::isPresent)
        .map(Optional::orElseThrow);
  }

  private static Optional<PostRef> next(Ahead first, Ahead second) {
    var one = first.peek();
    var other = second.peek();
    if (one == null || (other != null && NEWEST_FIRST.compare(other, one) < 0)) {
      return Optional.ofNullable(second.take());
    }
    return Optional.ofNullable(first.take());
  }

  /** Looks at the next post of a list before it is taken. */
  private static final class Ahead {
    private final Iterator<PostRef> refs;
    private @Nullable PostRef next;

    Ahead(Iterator<PostRef> refs) {
      this.refs = refs;
    }

    @Nullable PostRef peek() {
      if (next == null && refs.hasNext()) {
        next = refs.next();
      }
      return next;
    }

    @Nullable PostRef take() {
      var taken = peek();
      next = null;
      return taken;
    }
  }
}
