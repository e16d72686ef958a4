package social.feed.table.engagement;

import static social.feed.table.kernel.store.Condition.absent;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.EngagementKey;
import social.feed.table.row.EngagementRef;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.LikeRef;
import social.feed.table.row.Post;

/** Likes, one a user and post. The stream updates the post's count after them. */
public final class Likes {
  /** Beyond these, reading the likes of single posts costs less than reading more of the list. */
  private static final int RECENT = 100;

  /** A like can seem older than its post by the difference of two servers' clocks. */
  private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(1);

  /** The likes of a partition that are read in addition to twice its share of a page. */
  private static final int SPARE = 8;

  private static final RecordSchema<Like> SCHEMA = RecordSchema.of(Like.class);

  private final Table table;
  private final PagedQueries lists;

  public Likes(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
  }

  /**
   * Likes a post. Three write units: item, GSI1 and GSI2.
   *
   * @return the like that exists already, empty when this one was written
   */
  public Optional<Like> add(Like like) {
    return table.put(like, absent().returningItem()).existing(like.key()).map(SCHEMA::mapToItem);
  }

  /**
   * Deletes a like; there may be none. Three write units: item, GSI1 and GSI2.
   *
   * @return whether there was one
   */
  public boolean remove(String postId, String userId) {
    return table.deleteExisting(Like.key(postId, userId));
  }

  /**
   * Returns the likes of a post, newest first. Position is the GSI1 sort key. Half a read unit for
   * each 4 KB. The likes of a post with buckets are in one more partition for each, and are merged.
   * Of each partition twice its share of the page is read, and more of one where that is too few.
   * So a page of 20 costs half a unit for each partition, and the largest page one unit. Each
   * partition with more than twice its share adds at most 4.5 units.
   *
   * @param buckets the post's {@code like_buckets}, 0 where it has none
   * @return a full page, or the end of the list
   */
  @Serves(AccessPattern.FEED_005)
  public Page<LikeRef> of(String postId, int buckets, PageRequest request) {
    if (buckets == 0) {
      return part(Keys.likesOf(postId), request);
    }
    var partitions =
        Stream.concat(
                Stream.of(Keys.likesOf(postId)),
                IntStream.range(0, buckets).mapToObj(bucket -> Keys.likesOf(postId, bucket)))
            .toList();
    var share =
        new PageRequest(
            Math.min(request.limit(), 2 * request.limit() / partitions.size() + SPARE),
            request.after());
    var parts =
        new ArrayList<>(
            ParallelCalls.map(partitions, partitions.size(), partition -> part(partition, share)));
    while (true) {
      var merged = Page.merged(parts, request.limit());
      var floor = merged.next();
      int missing = request.limit() - merged.slots().size();
      if (missing == 0 || floor == null) {
        return new Page<>(merged.slots(), floor);
      }
      for (int i = 0; i < parts.size(); i++) {
        if (floor.equals(parts.get(i).next())) {
          var more = part(partitions.get(i), new PageRequest(missing, floor));
          parts.set(i, parts.get(i).followedBy(more));
        }
      }
    }
  }

  private Page<LikeRef> part(String partition, PageRequest request) {
    return lists.ofIndex(AccessPattern.FEED_005, LikeRef.class, partition, request);
  }

  /** Returns the likes of an account, newest first. Position is the GSI2 sort key. */
  @Serves(AccessPattern.FEED_016)
  public Page<EngagementRef> by(String userId, PageRequest request) {
    return lists
        .ofIndex(AccessPattern.FEED_016, EngagementKey.class, Keys.liker(userId), request)
        .fromPositions(EngagementRef::at);
  }

  /**
   * Returns the posts among some that a user likes, eventually consistent. Reads the likes of the
   * user since the oldest of the posts, and at most the newest {@value #RECENT} of them. It reads
   * the like of a post by its key only where these leave the answer open. Half a read unit for each
   * 4 KB of the likes, which is 1.5 for 50, and half a unit for each post left open.
   */
  public Set<String> likedAmong(String userId, Collection<Post> posts) {
    var liked = new HashSet<String>();
    if (posts.isEmpty()) {
      return liked;
    }
    var open = new HashMap<String, Instant>();
    posts.forEach(post -> open.put(post.postId(), post.createdAt().minus(CLOCK_DIFFERENCE)));
    var recent =
        lists.highestKeys(
            Index.POSTS_BY_TAG,
            Keys.liker(userId),
            Keys.timed(Collections.min(open.values()), ""),
            RECENT);
    for (var sort : recent) {
      var postId = Keys.engagedPost(sort);
      if (open.remove(postId) != null) {
        liked.add(postId);
      }
    }
    if (recent.size() < RECENT) {
      return liked;
    }
    var oldest = Keys.timeOf(recent.getLast());
    open.values().removeIf(oldest::isBefore);
    liked.addAll(likedBy(userId, open.keySet(), false));
    return liked;
  }

  /**
   * Returns whether a user likes a post, eventually consistent. Half a read unit for the like's
   * key. For a post with {@value Post#LIKES_SPREAD_FROM} likes it reads the user's own list, as
   * {@link #likedAmong} does, so that the viewers of one post do not read one partition.
   */
  public boolean isLiked(String userId, Post post) {
    var liked =
        post.likesCount() < Post.LIKES_SPREAD_FROM
            ? likedBy(userId, Set.of(post.postId()), false)
            : likedAmong(userId, Set.of(post));
    return !liked.isEmpty();
  }

  /** Returns the posts among some that a user likes, strongly consistent. One read unit a post. */
  public Set<String> likedBy(String userId, Collection<String> postIds) {
    return likedBy(userId, postIds, true);
  }

  private Set<String> likedBy(String userId, Collection<String> postIds, boolean strong) {
    return table.getAll(postIds.stream().map(id -> Like.key(id, userId)).toList(), strong).stream()
        .map(Like.class::cast)
        .map(Like::postId)
        .collect(Collectors.toSet());
  }
}
