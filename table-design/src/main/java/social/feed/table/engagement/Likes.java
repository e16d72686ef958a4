package social.feed.table.engagement;

import static social.feed.table.kernel.store.Condition.absent;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.LikeRef;

/** Likes, one a user and post. The stream updates the post's count after them. */
public final class Likes {
  private static final RecordSchema<Like> SCHEMA = RecordSchema.of(Like.class);

  private final Table table;
  private final PagedQueries lists;

  public Likes(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
  }

  /**
   * Likes a post. Two write units, item and GSI1.
   *
   * @return the like that exists already, empty when this one was written
   */
  public Optional<Like> add(Like like) {
    return table.put(like, absent().returningItem()).existing(like.key()).map(SCHEMA::mapToItem);
  }

  /**
   * Deletes a like; there may be none. Two write units, item and GSI1.
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

  /** Returns the posts among some that a user likes, strongly consistent. One read unit a post. */
  public Set<String> likedBy(String userId, Collection<String> postIds) {
    return table.getAll(postIds.stream().map(id -> Like.key(id, userId)).toList(), true).stream()
        .map(Like.class::cast)
        .map(Like::postId)
        .collect(Collectors.toSet());
  }
}
