package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A special follower: {@code FOLLOWEE#<followee> / SPECIAL#<follower>}, in the partition of the
 * follow edges. It is written and removed together with {@link Follow#specialSince}. A notification
 * of these followers reads only their rows, however many other followers exist.
 *
 * @param followerId the account that follows
 * @param followeeId the account that is followed
 * @param createdAt when the special follow began
 */
@StoredAs(RowKind.SPECIAL_FOLLOWER)
public record SpecialFollower(String followerId, String followeeId, Instant createdAt)
    implements Row {
  public static final String CREATED_AT = "created_at";

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
