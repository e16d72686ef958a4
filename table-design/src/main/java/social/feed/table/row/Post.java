package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Index;

/**
 * A post: {@code POST#<id> / META}, in GSI1 under its author. It holds counters, so no write
 * replaces the whole item after its creation.
 *
 * @param postId a time-ordered id
 * @param authorId the account that wrote it
 * @param text 1 to 500 characters
 * @param tags normalized, in the order of the text, each once
 * @param mentions the accounts named in the text, resolved when it was written
 * @param visibility the readers who may see it; its author can change that
 * @param mediaRef the caller's reference to media stored elsewhere
 * @param createdAt when it was written
 * @param feedShards number of partitions of its feed entries; fixed for its life, because another
 *     number would write duplicate entries
 * @param delivery how it reaches followers; fixed for its life
 * @param likesCount updated by the stream
 * @param commentsCount updated by the stream
 * @param marks per stream shard, the last sequence number that both counts cover
 * @param likeBuckets number of index partitions that new likes are spread over; absent while they
 *     all go to one
 * @param visibilityVersion number of changes between private and not private, absent for none
 * @param reflectedVersion the last of these changes whose effect has begun, absent for none
 * @param media files of the author that belong to this post alone, absent for none
 */
@StoredAs(
    value = RowKind.POST,
    extraAttributes = {Post.LIKES_COUNT + Counted.RECOUNTS, Post.COMMENTS_COUNT + Counted.RECOUNTS})
public record Post(
    String postId,
    String authorId,
    String text,
    List<String> tags,
    List<Mention> mentions,
    Visibility visibility,
    @Nullable String mediaRef,
    Instant createdAt,
    int feedShards,
    FanOutMode delivery,
    long likesCount,
    long commentsCount,
    Map<String, String> marks,
    @Nullable Integer likeBuckets,
    @Nullable Long visibilityVersion,
    @Nullable Long reflectedVersion,
    @Nullable List<PostMedia> media)
    implements Row, Counted, NotificationSource {
  public static final String AUTHOR_ID = "author_id";
  public static final String VISIBILITY = "visibility";
  public static final String TAGS = "tags";
  public static final String MENTIONS = "mentions";
  public static final String CREATED_AT = "created_at";
  public static final String LIKES_COUNT = "likes_count";
  public static final String COMMENTS_COUNT = "comments_count";
  public static final String LIKE_BUCKETS = "like_buckets";
  public static final String VISIBILITY_VERSION = "visibility_version";
  public static final String REFLECTED_VERSION = "reflected_version";

  /** The count of likes from which on new likes are spread. */
  public static final long LIKES_SPREAD_FROM = 1_000;

  /**
   * The number of index partitions that they are spread over. Each takes 1 000 write units a
   * second, and a like takes one.
   */
  public static final int LIKE_BUCKETS_OF_A_POST = 16;

  /** The partitions over which the entries of a new post are spread, unless configured. */
  public static final int FEED_SHARDS = 4;

  public Post {
    tags = List.copyOf(tags);
    mentions = List.copyOf(mentions);
    media = media == null ? null : List.copyOf(media);
  }

  /** Creates a post without files, whose likes go to one index partition, and never changed. */
  public Post(
      String postId,
      String authorId,
      String text,
      List<String> tags,
      List<Mention> mentions,
      Visibility visibility,
      @Nullable String mediaRef,
      Instant createdAt,
      int feedShards,
      FanOutMode delivery,
      long likesCount,
      long commentsCount,
      Map<String, String> marks) {
    this(
        postId,
        authorId,
        text,
        tags,
        mentions,
        visibility,
        mediaRef,
        createdAt,
        feedShards,
        delivery,
        likesCount,
        commentsCount,
        marks,
        null,
        null,
        null,
        null);
  }

  /** Returns the number of index partitions that new likes are spread over, 0 for none. */
  public int bucketsOfLikes() {
    return likeBuckets == null ? 0 : likeBuckets;
  }

  /** Returns the number of changes between private and not private. */
  private long changes() {
    return visibilityVersion == null ? 0 : visibilityVersion;
  }

  /** Returns whether the effect of the last change between private and not private is to begin. */
  public boolean awaitsReflection() {
    return changes() > (reflectedVersion == null ? 0 : reflectedVersion);
  }

  /**
   * Returns whether the post has changed between private and not private since an earlier state,
   * and the effect of the last such change is to begin. That effect finds everything that was
   * written before this state was read, so whatever the change requires is left to it.
   */
  public boolean awaitsReflectionSince(Post earlier) {
    return changes() > earlier.changes() && awaitsReflection();
  }

  /** Returns whether a reader's feed may contain the post, whatever the reader follows. */
  public boolean mayBeInFeedOf(String readerId) {
    return visibility != Visibility.PRIVATE || readerId.equals(authorId);
  }

  /**
   * Returns whether a reader's feed may have a stored entry of the post. Only its author's feed
   * stores a pulled post.
   */
  public boolean mayBeStoredFor(String readerId) {
    return mayBeInFeedOf(readerId) && (readerId.equals(authorId) || delivery != FanOutMode.PULL);
  }

  /** Returns the post with other mentions, which need not be in the text. */
  public Post mentioning(List<Mention> others) {
    return new Post(
        postId,
        authorId,
        text,
        tags,
        others,
        visibility,
        mediaRef,
        createdAt,
        feedShards,
        delivery,
        likesCount,
        commentsCount,
        marks,
        likeBuckets,
        visibilityVersion,
        reflectedVersion,
        media);
  }

  /** Returns the post with other files. */
  public Post showing(List<PostMedia> files) {
    return new Post(
        postId,
        authorId,
        text,
        tags,
        mentions,
        visibility,
        mediaRef,
        createdAt,
        feedShards,
        delivery,
        likesCount,
        commentsCount,
        marks,
        likeBuckets,
        visibilityVersion,
        reflectedVersion,
        files.isEmpty() ? null : files);
  }

  /** Returns the files of the post. */
  public List<PostMedia> files() {
    return media == null ? List.of() : media;
  }

  /** Returns the post as an index projects it. */
  public PostRef ref() {
    return new PostRef(postId, authorId, createdAt, visibility, feedShards, delivery);
  }

  public static Key key(String postId) {
    return new Key(Keys.post(postId), Keys.META);
  }

  @Override
  public Key key() {
    return key(postId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Stream.concat(Stream.of(authorId), mentions.stream().map(Mention::userId))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<Key> parents() {
    return List.of(User.key(authorId));
  }

  @Override
  public Map<Index, Key> indexKeys() {
    return Map.of(
        Index.POSTS_BY_AUTHOR,
        new Key(Keys.user(authorId), Keys.timed(createdAt, Keys.post(postId))));
  }
}
