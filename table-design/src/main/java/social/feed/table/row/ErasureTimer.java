package social.feed.table.row;

import java.util.List;
import java.util.Set;

/**
 * The alarm clock of an {@link Erasure}: {@code ERASURE#<hash of the id> / ALARM}. That it expires
 * is what has the table walked again; so no other clock is needed.
 *
 * @param hash SHA-256 of the user id in hexadecimal digits
 * @param pass after how many walks it was set; it rings for no other
 * @param expiresAt epoch second after which it rings, when TTL comes by
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
    // The row expires with the erasure.
    return List.of();
  }
}
