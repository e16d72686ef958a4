package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is left of work on a post's rows, mostly of their removal: {@code POST#<post> /
 * CLEANUP#<cause>}. It exists only while the work takes more than one part. The stream delivers
 * each version as the order to do the next part. It lies in the partition of the post, so that it
 * keeps the order of the post's own changes.
 *
 * @param postId the post
 * @param cause what requires the work
 * @param feedShards copied from the post, and available here after the post is deleted
 * @param afterPartition partition in which the next part begins
 * @param afterSort sort key after which the next part begins
 * @param orderedAt when the next part was ordered
 * @param revision grows by one with each change
 */
@StoredAs(RowKind.POST_CLEAN_UP)
public record PostCleanUp(
    String postId,
    Cause cause,
    int feedShards,
    String afterPartition,
    String afterSort,
    Instant orderedAt,
    long revision)
    implements Row {
  public static final String REVISION = "revision";

  /** The sort keys of a post's rows that the id of an account follows. */
  private static final List<String> BEFORE_ACCOUNTS =
      List.of(Keys.FEEDS, Keys.LIKES, Keys.POST_NOTIFICATIONS);

  /** Why rows of a post are removed or written. */
  public enum Cause {
    /** The post was deleted; all that refers to it is removed. */
    DELETED,
    /** The post became private; it leaves all feeds except its author's. */
    HIDDEN,
    /** Fewer accounts may see the post; the notifications of the others are retracted. */
    NARROWED,
    /**
     * The post is shown; the special followers of its author are notified. If it is gone meanwhile,
     * notifications behind the position are retracted.
     */
    ANNOUNCED
  }

  /**
   * Returns the first order for what is left behind a key. Its revision is the time, so that an
   * effect that still knows an order that has ended cannot take this one for it.
   */
  public static PostCleanUp of(
      String postId, int feedShards, Cause cause, Key after, Instant orderedAt) {
    return new PostCleanUp(
        postId,
        cause,
        feedShards,
        after.partition(),
        after.sort(),
        orderedAt,
        orderedAt.toEpochMilli());
  }

  /** Returns the order for what is left behind a key, as the next version of this one. */
  public PostCleanUp after(Key position, Instant now) {
    return new PostCleanUp(
        postId, cause, feedShards, position.partition(), position.sort(), now, revision + 1);
  }

  /**
   * Returns the order without the id of an account, as the next version of this one: it begins at
   * the front of the rows of the same kind. Of these only records of notifications are still there,
   * and are gone through again.
   */
  public PostCleanUp withoutAccount(Instant now) {
    var front = BEFORE_ACCOUNTS.stream().filter(afterSort::startsWith).findAny().orElse(afterSort);
    return after(new Key(afterPartition, front), now);
  }

  /** Returns the same order once more, with another revision. */
  public PostCleanUp again(Instant now) {
    return after(position(), now);
  }

  /** Returns the key after which the next part begins. */
  public Key position() {
    return new Key(afterPartition, afterSort);
  }

  public static Key key(String postId, Cause cause) {
    return new Key(Keys.post(postId), Keys.CLEAN_UPS + cause.name());
  }

  @Override
  public Key key() {
    return key(postId, cause);
  }

  @Override
  public Set<String> referencedAccounts() {
    // The position may be the row of an account.
    return BEFORE_ACCOUNTS.stream()
        .filter(afterSort::startsWith)
        .map(before -> afterSort.substring(before.length()))
        .filter(id -> !id.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public List<Key> parents() {
    // It outlives a deleted post.
    return List.of();
  }
}
