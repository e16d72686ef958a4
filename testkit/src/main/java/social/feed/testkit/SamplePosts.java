package social.feed.testkit;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Mention;
import social.feed.table.row.Post;
import social.feed.table.row.PostMedia;
import social.feed.table.row.Visibility;

/** Posts as rows, for tests that write them past the API. */
public final class SamplePosts {
  private final String authorId;
  private final Instant at;
  private String id;
  private String text = "hello";
  private List<String> tags = List.of();
  private List<Mention> mentions = List.of();
  private Visibility visibility = Visibility.PUBLIC;
  private @Nullable String mediaRef;
  private int feedShards = 4;
  private FanOutMode delivery = FanOutMode.PUSH;
  private long likes;
  private long comments;
  private Map<String, String> marks = Map.of();
  private @Nullable Integer likeBuckets;
  private @Nullable Long visibilityVersion;
  private @Nullable Long reflectedVersion;
  private @Nullable List<PostMedia> media;

  private SamplePosts(String authorId, Instant at) {
    this.authorId = authorId;
    this.at = at;
    this.id = TimeOrderedId.named(at, authorId);
  }

  /** Returns a public post in four shards. An author has one of each millisecond. */
  public static Post of(String authorId, Instant at, FanOutMode delivery) {
    return by(authorId, at).delivery(delivery).build();
  }

  /** Begins a pushed, public post in four shards, whose id follows from its author and time. */
  public static SamplePosts by(String authorId, Instant at) {
    return new SamplePosts(authorId, at);
  }

  /** Begins a post that differs from another one in what is called. */
  public static SamplePosts like(Post post) {
    var like = new SamplePosts(post.authorId(), post.createdAt());
    like.id = post.postId();
    like.text = post.text();
    like.tags = post.tags();
    like.mentions = post.mentions();
    like.visibility = post.visibility();
    like.mediaRef = post.mediaRef();
    like.feedShards = post.feedShards();
    like.delivery = post.delivery();
    like.likes = post.likesCount();
    like.comments = post.commentsCount();
    like.marks = post.marks();
    like.likeBuckets = post.likeBuckets();
    like.visibilityVersion = post.visibilityVersion();
    like.reflectedVersion = post.reflectedVersion();
    like.media = post.media();
    return like;
  }

  public SamplePosts id(String id) {
    this.id = id;
    return this;
  }

  /** An id as the API creates it, so that an author may have several posts of a millisecond. */
  public SamplePosts randomId(RandomGenerator random) {
    return id(TimeOrderedId.random(at, random));
  }

  public SamplePosts text(String text) {
    this.text = text;
    return this;
  }

  public SamplePosts tags(String... tags) {
    return tags(List.of(tags));
  }

  public SamplePosts tags(List<String> tags) {
    this.tags = tags;
    return this;
  }

  public SamplePosts mentions(Mention... mentions) {
    return mentions(List.of(mentions));
  }

  public SamplePosts mentions(List<Mention> mentions) {
    this.mentions = mentions;
    return this;
  }

  public SamplePosts visibility(Visibility visibility) {
    this.visibility = visibility;
    return this;
  }

  public SamplePosts feedShards(int shards) {
    this.feedShards = shards;
    return this;
  }

  public SamplePosts delivery(FanOutMode delivery) {
    this.delivery = delivery;
    return this;
  }

  public SamplePosts likes(long count) {
    this.likes = count;
    return this;
  }

  public SamplePosts comments(long count) {
    this.comments = count;
    return this;
  }

  public SamplePosts marks(Map<String, String> marks) {
    this.marks = marks;
    return this;
  }

  public SamplePosts likeBuckets(int buckets) {
    this.likeBuckets = buckets;
    return this;
  }

  /** Returns the post, which is not written. */
  public Post build() {
    return new Post(
        id,
        authorId,
        text,
        tags,
        mentions,
        visibility,
        mediaRef,
        at,
        feedShards,
        delivery,
        likes,
        comments,
        marks,
        likeBuckets,
        visibilityVersion,
        reflectedVersion,
        media);
  }
}
