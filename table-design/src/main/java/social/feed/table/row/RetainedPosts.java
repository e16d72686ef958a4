package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A former follower's choice to retain an author's posts in the feed: {@code USER#<reader> /
 * KEPT#<author>}. It is written in the transaction that removes the edge. The next unfollow without
 * that choice removes it. Code that reads or removes feed entries therefore finds the choice in one
 * place.
 *
 * @param readerId the account that unfollowed
 * @param authorId the author whose posts stay
 * @param since the oldest time of the author's posts that the feed held
 * @param until when the follow ended; later posts are not retained
 */
@StoredAs(RowKind.KEPT_HISTORY)
public record RetainedPosts(String readerId, String authorId, Instant since, Instant until)
    implements Row {
  public static Key key(String readerId, String authorId) {
    return new Key(Keys.user(readerId), Keys.kept(authorId));
  }

  /** Returns whether a post of this time stays in the feed. */
  public boolean covers(Instant createdAt) {
    return !createdAt.isAfter(until);
  }

  /** Returns whether a post of this time belongs in the period of the posts that the feed held. */
  public boolean spans(Instant createdAt) {
    return !createdAt.isBefore(since) && covers(createdAt);
  }

  @Override
  public Key key() {
    return key(readerId, authorId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(readerId, authorId));
  }

  @Override
  public List<Key> parents() {
    return List.of(User.key(readerId), User.key(authorId));
  }
}
