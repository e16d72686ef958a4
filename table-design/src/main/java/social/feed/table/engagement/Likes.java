package social.feed.table.engagement;

import static social.feed.table.kernel.store.Condition.absent;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PagedQueries;
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
  private static final int RECENT_PAGES = 2;

  /** A like can seem older than its post by the difference of two servers' clocks. */
  private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(1);

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

  /** Returns the likes of a post, newest first. Position is the GSI1 sort key. */
  @Serves(AccessPattern.FEED_005)
  public Page<LikeRef> of(String postId, PageRequest request) {
    return lists.ofIndex(AccessPattern.FEED_005, LikeRef.class, Keys.likesOf(postId), request);
  }

  /** Returns the likes of an account, newest first. Position is the GSI2 sort key. */
  @Serves(AccessPattern.FEED_016)
  public Page<EngagementRef> by(String userId, PageRequest request) {
    return lists
        .ofIndex(AccessPattern.FEED_016, EngagementKey.class, Keys.liker(userId), request)
        .fromPositions(EngagementRef::at);
  }

  /**
   * Returns the posts among some that a user likes, eventually consistent. Reads the newest likes
   * of the user until they are older than the posts, and at most {@value #RECENT_PAGES} pages of
   * them. It reads the like of a post by its key only where these leave the answer open. Half a
   * read unit for each 4 KB of the likes, which is 1.5 a page, and half a unit for each post left
   * open.
   */
  public Set<String> likedAmong(String userId, Collection<Post> posts) {
    var liked = new HashSet<String>();
    var open = new HashMap<String, Instant>();
    posts.forEach(post -> open.put(post.postId(), post.createdAt()));
    @Nullable String after = null;
    for (int page = 0; page < RECENT_PAGES && !open.isEmpty(); page++) {
      var read = by(userId, new PageRequest(AccessPattern.FEED_016.maxPage(), after));
      read.items().stream()
          .map(EngagementRef::postId)
          .filter(open.keySet()::contains)
          .forEach(liked::add);
      open.keySet().removeAll(liked);
      after = read.next();
      if (after == null) {
        return liked;
      }
      var oldest = read.items().getLast().createdAt().plus(CLOCK_DIFFERENCE);
      open.values().removeIf(oldest::isBefore);
    }
    liked.addAll(likedBy(userId, open.keySet(), false));
    return liked;
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
