package social.feed.table.post;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.different;
import static social.feed.table.kernel.store.Condition.equal;
import static social.feed.table.kernel.store.Condition.greater;
import static social.feed.table.kernel.store.Condition.lacks;
import static social.feed.table.kernel.store.Condition.less;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.Transaction;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.store.WriteOutcome;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.PostRef;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

/** Posts. The stream updates counts, tag rows and feed entries after them. */
public final class Posts {
  private static final RecordSchema<Post> SCHEMA = RecordSchema.of(Post.class);

  private final Table table;
  private final PagedQueries lists;

  public Posts(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
  }

  /**
   * Creates a post unless its id exists. Two write units for up to 1 KB, item and GSI1.
   *
   * @return the post that has this id already, empty when this one was written
   */
  public Optional<Post> create(Post post) {
    return table.put(post, absent().returningItem()).existing(post.key()).map(SCHEMA::mapToItem);
  }

  /** Returns a post, strongly consistent. One read unit for up to 4 KB. */
  @Serves(AccessPattern.FEED_004)
  public Optional<Post> get(String postId) {
    return table.get(Post.key(postId)).map(SCHEMA::mapToItem);
  }

  /**
   * Returns posts by id without absent ones. Half a read unit for up to 4 KB each, one when strong.
   *
   * @param strong whether the read is strongly consistent, so that a post deleted just now is
   *     absent
   */
  public Map<String, Post> getAll(Collection<String> postIds, boolean strong) {
    return table.getAll(postIds.stream().map(Post::key).toList(), strong).stream()
        .map(Post.class::cast)
        .collect(Collectors.toMap(Post::postId, post -> post));
  }

  /** Returns posts of an author, newest first. Position is the GSI1 sort key. */
  @Serves(AccessPattern.FEED_002)
  public Page<PostRef> ofAuthor(String authorId, PageRequest request) {
    return lists.ofIndex(AccessPattern.FEED_002, PostRef.class, Keys.user(authorId), request);
  }

  /**
   * Returns all posts of an author, newest first, read page by page as the stream is consumed. Half
   * a read unit for each 4 KB of them.
   */
  public Stream<PostRef> allOfAuthor(String authorId) {
    return all(authorId, PageRequest.first(AccessPattern.FEED_002.maxPage()));
  }

  /**
   * As {@link #allOfAuthor}, only those before a time.
   *
   * @param time exclusive
   */
  public Stream<PostRef> allOfAuthorBefore(String authorId, Instant time) {
    return all(authorId, new PageRequest(AccessPattern.FEED_002.maxPage(), Keys.at(time)));
  }

  /** As {@link #allOfAuthor}, only those behind a post in that order. */
  public Stream<PostRef> allOfAuthorBehind(PostRef post) {
    var position = Keys.timed(post.createdAt(), Keys.post(post.postId()));
    return all(post.authorId(), new PageRequest(AccessPattern.FEED_002.maxPage(), position));
  }

  private Stream<PostRef> all(String authorId, PageRequest first) {
    return Page.all(first, request -> ofAuthor(authorId, request))
        .flatMap(page -> page.items().stream());
  }

  /** Returns public posts with a tag, newest first. Position is the GSI2 sort key. */
  @Serves(AccessPattern.FEED_007)
  public Page<PostRef> withTag(String tag, PageRequest request) {
    return lists.ofIndex(AccessPattern.FEED_007, PostRef.class, Keys.tag(tag), request);
  }

  /**
   * Changes the visibility of an author's post; the same visibility changes nothing. Two write
   * units, item and GSI1; one more between public and for followers. The stream updates feeds, tag
   * rows and notifications after it.
   *
   * <p>The update that makes the post private, or no longer private, counts this change.
   *
   * @return the post after the change, empty when the author has no such post
   */
  public Optional<Post> changeVisibility(String postId, String authorId, Visibility visibility) {
    var change = new Update().set(Post.VISIBILITY, stored(visibility));
    var crossing =
        new Update().set(Post.VISIBILITY, stored(visibility)).increment(Post.VISIBILITY_VERSION);
    boolean hides = visibility == Visibility.PRIVATE;
    var isPrivate = equal(Post.VISIBILITY, stored(Visibility.PRIVATE));
    var isShown = different(Post.VISIBILITY, stored(Visibility.PRIVATE));
    return table
        .retry()
        .withoutPauses()
        .until(
            "Visibility of " + postId,
            () -> {
              var changed = change(postId, authorId, crossing, hides ? isShown : isPrivate);
              if (changed.isEmpty() && !hides) {
                changed = change(postId, authorId, change, isShown);
              }
              if (changed.isPresent()) {
                return Optional.of(changed);
              }
              // It is absent, or hidden already, or was hidden between both attempts.
              var found = get(postId).filter(post -> post.authorId().equals(authorId));
              return found.isEmpty() || hides ? Optional.of(found) : Optional.empty();
            });
  }

  private Optional<Post> change(
      String postId, String authorId, Update change, Condition condition) {
    return table
        .updateAndGet(
            Post.key(postId), change, present().and(equal(Post.AUTHOR_ID, authorId)).and(condition))
        .map(SCHEMA::mapToItem);
  }

  private static String stored(Visibility visibility) {
    return visibility.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Notes that the effect of the last change between private and not private has begun, unless it
   * was noted before. One write unit, and none where it is known to be noted.
   */
  public void beginReflection(Post post) {
    var version = post.visibilityVersion();
    if (version != null && post.awaitsReflection()) {
      table.update(
          post.key(),
          new Update().set(Post.REFLECTED_VERSION, version),
          present().and(lacks(Post.REFLECTED_VERSION).or(less(Post.REFLECTED_VERSION, version))));
    }
  }

  /**
   * Deletes a post of an author, and subtracts it from the author's posts in the same transaction.
   * So no deletion is under way while {@code verify} recounts the posts. A post that the stream has
   * not counted yet is not subtracted, and not counted later. Seven write units: the post with
   * GSI1, the profile or the event of the creation, and the event that keeps the stream from
   * subtracting the post again. One read unit for a post of the last 15 days.
   *
   * @throws ThrottledException when concurrent writes keep changing the profile
   */
  public DeleteOutcome delete(String postId, String authorId, Instant now) {
    var post = Post.key(postId);
    var isAuthors = equal(Post.AUTHOR_ID, authorId).returningItem();
    return table
        .retry()
        .until(
            "Deletion of " + post,
            () -> {
              boolean isCounted = isCounted(postId, now);
              var outcome =
                  (isCounted ? subtracting(authorId) : keepingUncounted(postId, now))
                      .delete(post, isAuthors)
                      .put(ProcessedEvent.ofPost(postId, ProcessedEvent.DELETED, now), absent())
                      .commit();
              if (outcome.isDone()) {
                return Optional.of(DeleteOutcome.DELETED);
              }
              if (outcome.failedAt(post)) {
                return Optional.of(refusal(outcome, post));
              }
              // Without a profile that counts posts, the stream decides what becomes of the count.
              return outcome.hasFailedCondition() && isCounted
                  ? Optional.of(deleteUncounted(post, isAuthors))
                  : Optional.empty();
            });
  }

  /** Returns whether the stream has counted a post, or can no longer count it. */
  private boolean isCounted(String postId, Instant now) {
    if (!TimeOrderedId.isValid(postId)
        || TimeOrderedId.timeOf(postId).isBefore(now.minus(Retention.LATEST_EFFECT))) {
      return true;
    }
    var created = ProcessedEvent.ofPost(postId, ProcessedEvent.CREATED, now);
    return table.get(created.key()).isPresent();
  }

  private Transaction subtracting(String authorId) {
    return table
        .transaction()
        .update(
            User.key(authorId),
            new Update().add(User.POSTS_COUNT, -1),
            greater(User.POSTS_COUNT, Long.MIN_VALUE));
  }

  private Transaction keepingUncounted(String postId, Instant now) {
    return table
        .transaction()
        .put(ProcessedEvent.ofPost(postId, ProcessedEvent.CREATED, now), absent());
  }

  private DeleteOutcome deleteUncounted(Key post, Condition isAuthors) {
    var outcome = table.delete(post, isAuthors);
    return outcome.isDone() ? DeleteOutcome.DELETED : refusal(outcome, post);
  }

  private static DeleteOutcome refusal(WriteOutcome outcome, Key post) {
    return outcome.existing(post).isPresent() ? DeleteOutcome.NOT_YOURS : DeleteOutcome.ABSENT;
  }
}
