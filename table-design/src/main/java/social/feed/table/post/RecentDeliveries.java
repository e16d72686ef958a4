package social.feed.table.post;

import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
            .map(post -> RecentDelivery.of(post.ref(), now))
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
    return asTheyAre(authorId, of(authorId));
  }

  private Stream<PostRef> asTheyAre(String authorId, List<PostRef> recent) {
    var now =
        recent.stream().gather(Gatherers.windowFixed(PAGE)).flatMap(ref -> asTheyAre(ref).stream());
    return merge(now.iterator(), ids(recent), posts.allOfAuthor(authorId));
  }

  /**
   * Returns some posts of an author that are about to be written into feeds, chosen among {@link
   * #withAllOfAuthorAsTheyAre}, and notes those that need it as {@link #beginListed} does.
   */
  List<PostRef> begin(String authorId, Function<Stream<PostRef>, List<PostRef>> choice) {
    var recent = of(authorId);
    var chosen = choice.apply(asTheyAre(authorId, recent));
    beginListed(chosen, ids(recent));
    return chosen;
  }

  /**
   * Notes that posts are about to be written into feeds that GSI1 shows, and whose own delivery has
   * not begun. A later read of the index may be older and not show them. Must come before their
   * entries. One write unit for each such post that is younger than {@link
   * Retention#RECENT_DELIVERIES}. There is none unless the effects of posts lag.
   *
   * @param noted the ids of the posts that have a note
   */
  public void beginListed(Collection<PostRef> listed, Set<String> noted) {
    var now = Timestamps.now(clock);
    var since = now.minus(Retention.RECENT_DELIVERIES);
    table.putAll(
        listed.stream()
            .filter(post -> !noted.contains(post.postId()))
            .filter(post -> post.createdAt().isAfter(since))
            .filter(post -> post.delivery() != FanOutMode.PULL)
            .map(post -> RecentDelivery.of(post, now))
            .toList());
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
