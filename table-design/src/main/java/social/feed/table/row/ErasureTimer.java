package social.feed.table.row;

import java.util.List;
import java.util.Set;

/**
 * The timer of an {@link Erasure}: {@code ERASURE#<hash of the id> / ALARM}. The stream record of
 * its expiry starts the next walk, so an erasure needs no other clock.
 *
 * @param hash SHA-256 of the user id in hexadecimal digits
 * @param pass number of finished walks when the timer was set; the timer applies to no other pass
 * @param expiresAt epoch second after which TTL may delete the row
 */
@StoredAs(RowKind.ERASURE_ALARM)
public record ErasureTimer(String hash, long pass, long expiresAt) implements Row {
  private static final String SORT = "ALARM";

  @Override
  public Key key() {
    return new Key(Keys.erasure(hash), SORT);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // The row expires, which has no effect without an erasure.
    return List.of();
  }
}
