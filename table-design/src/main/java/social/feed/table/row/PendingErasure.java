package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An {@link Erasure} that waits for the next {@link ErasureSweep}: {@code REGISTRY#ERASURES /
 * PENDING#<number of a sweep>#<hash of the id>}. It is written and deleted together with a change
 * of the erasure.
 *
 * @param sweep number of the last sweep that had begun when the row was written; the row takes part
 *     in a later one
 * @param hash SHA-256 of the user id in hexadecimal digits
 * @param userId the account
 * @param since when the account was last known to have rows or writes under way
 */
@StoredAs(RowKind.PENDING_ERASURE)
public record PendingErasure(long sweep, String hash, String userId, Instant since) implements Row {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /**
   * Returns the hash of the id at a key, also of a row that cannot be decoded. Empty where the key
   * has none, so that it belongs to no erasure.
   */
  public static Optional<String> hashAt(Key key) {
    return Optional.of(key.sort().substring(key.sort().lastIndexOf('#') + 1))
        .filter(hash -> HASH.matcher(hash).matches());
  }

  @Override
  public Key key() {
    return new Key(Keys.ERASURE_REGISTRY, Keys.pendingErasure(sweep, hash));
  }

  @Override
  public Set<String> referencedAccounts() {
    // The row is a part of the erasure and goes at its end.
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // The sweep deletes a row without an erasure.
    return List.of();
  }
}
