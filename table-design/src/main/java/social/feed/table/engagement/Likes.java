package social.feed.table.engagement;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Inserts;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.LikeRef;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/** Likes, one a user and post. The post's count follows behind the stream. */
public final class Likes {
  private final Table table;
  private final PagedQueries lists;
  private final Inserts<Like> inserts;

  public Likes(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
    this.inserts = new Inserts<>(table, Like.class);
  }

  /**
   * Likes a post. Two write units, item and GSI1.
   *
   * @return the like that was there before, or empty when this one was written
   */
  public Optional<Like> add(Like like) {
    return inserts.putIfAbsent(like);
  }

  /**
   * Takes a like back; there may be none. Two write units.
   *
   * @return whether there was one
   */
  public boolean remove(String postId, String userId) {
    return table
        .client()
        .deleteItem(
            d ->
                d.tableName(table.name())
                    .key(KeyAttributes.of(Like.key(postId, userId)))
                    .returnValues(ReturnValue.ALL_OLD))
        .hasAttributes();
  }

  /** Who likes a post, newest first; position is the GSI1 sort key. */
  @Serves(AccessPattern.FEED_005)
  public Page<LikeRef> of(String postId, PageRequest request) {
    return lists.ofIndex(AccessPattern.FEED_005, LikeRef.class, Keys.likesOf(postId), request);
  }

  /** Which of some posts a user likes, strongly consistent. One read unit a post. */
  public Set<String> likedBy(String userId, Collection<String> postIds) {
    return table.getAll(postIds.stream().map(id -> Like.key(id, userId)).toList(), true).stream()
        .map(Like.class::cast)
        .map(Like::postId)
        .collect(Collectors.toSet());
  }
}
