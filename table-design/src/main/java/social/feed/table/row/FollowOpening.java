package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A part of how a new account began to follow, for some days: {@code OPENING#<hash> / USER#<id>}.
 * Accounts that followed the same accounts in the same order share the partition.
 *
 * @param hash of some accounts that were followed one after the other
 * @param userId the account that followed them
 * @param version the version of its follow quota then
 * @param day the UTC day of these follows
 * @param expiresAt epoch second after which TTL may delete the row
 */
@StoredAs(RowKind.FOLLOW_OPENING)
public record FollowOpening(String hash, String userId, long version, Instant day, long expiresAt)
    implements Row {
  /** Returns the partition of the accounts that share a hash. */
  public static String partition(String hash) {
    return Keys.opening(hash);
  }

  @Override
  public Key key() {
    return new Key(partition(hash), Keys.user(userId));
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(userId);
  }

  @Override
  public List<Key> parents() {
    // It expires.
    return List.of();
  }
}
