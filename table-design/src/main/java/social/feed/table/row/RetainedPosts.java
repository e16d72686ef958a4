package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A former follower's wish to keep what the feed holds of an author: {@code USER#<reader> /
 * KEPT#<author>}. Written in the transaction that removes the edge, and removed by the next
 * unfollow without that wish, so whoever reads or removes feed entries finds it in one place.
 *
 * @param readerId who unfollowed
 * @param authorId whose posts stay
 * @param since how far back the feed held the author's posts
 * @param until when the follow ended; posts that were written later are not part of it
 */
@StoredAs(RowKind.KEPT_HISTORY)
public record RetainedPosts(String readerId, String authorId, Instant since, Instant until)
    implements Row {
  public static Key key(String readerId, String authorId) {
    return new Key(Keys.user(readerId), Keys.kept(authorId));
  }

  /** Whether a post of this time stays in the feed. */
  public boolean covers(Instant createdAt) {
    return !createdAt.isAfter(until);
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
