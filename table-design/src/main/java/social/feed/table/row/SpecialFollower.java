package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Somebody who follows an account specially: {@code FOLLOWEE#<followee> / SPECIAL#<follower>},
 * beside the edges. Written and removed with {@link Follow#specialSince}: whoever tells these
 * followers something reads only them, however many others there are.
 *
 * @param followerId who follows
 * @param followeeId who is followed
 * @param createdAt since when specially
 */
@StoredAs(RowKind.SPECIAL_FOLLOWER)
public record SpecialFollower(String followerId, String followeeId, Instant createdAt)
    implements Row {

  public static Key key(String followerId, String followeeId) {
    return new Key(Keys.followee(followeeId), Keys.special(followerId));
  }

  @Override
  public Key key() {
    return key(followerId, followeeId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.copyOf(List.of(followerId, followeeId));
  }

  @Override
  public List<Key> parents() {
    // Verification compares the row with its follow edge.
    return List.of();
  }
}
