package social.feed.table.row;

import java.util.List;
import java.util.Set;

/**
 * The owner of a handle: {@code HANDLE#<lower-case handle> / META}. It is written in one
 * transaction with the account, which makes handles unique.
 *
 * @param handle as the owner wrote it
 * @param userId the owner
 */
@StoredAs(RowKind.HANDLE_CLAIM)
public record HandleClaim(String handle, String userId) implements Row {
  public static final String USER_ID = "user_id";

  public static Key key(String handle) {
    return new Key(Keys.handle(handle), Keys.META);
  }

  @Override
  public Key key() {
    return key(handle);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(userId);
  }

  @Override
  public List<Key> parents() {
    // Verification compares the claim with its account in both directions.
    return List.of();
  }
}
