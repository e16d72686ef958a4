package social.feed.table.row;

import java.util.List;
import java.util.Set;

/**
 * An {@link Erasure} that waits for units: {@code REGISTRY#ERASURES / WAITING#<total>#<hash of the
 * id>}. The rows are in the order of the grants: the erasure that has had the fewest units comes
 * first. A row is valid while its erasure has the same revision.
 *
 * @param total the units that the erasure has had with this grant
 * @param hash SHA-256 of the user id in hexadecimal digits
 * @param units the units that it needs
 * @param revision the version of the erasure that waits
 */
@StoredAs(RowKind.WAITING_ERASURE)
public record WaitingErasure(long total, String hash, long units, long revision) implements Row {
  public static final String REVISION = "revision";

  /** Returns the row of an erasure that needs units. */
  public static WaitingErasure of(Erasure erasure, long units) {
    return new WaitingErasure(
        erasure.unitsGranted() + units, erasure.hash(), units, erasure.revision());
  }

  @Override
  public Key key() {
    return new Key(Keys.ERASURE_REGISTRY, Keys.waitingErasure(total, hash));
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // The clock deletes a row whose erasure does not wait.
    return List.of();
  }
}
