package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The timer of the {@link ErasureSweep}: {@code ERASURE#SWEEP / ALARM}. The stream record of its
 * expiry starts the next sweep or continues one that has stopped, so erasures need no other clock.
 * Earlier versions wrote a timer for each erasure, {@code ERASURE#<hash of the id> / ALARM}.
 *
 * @param hash {@code SWEEP}, or SHA-256 of the user id in hexadecimal digits
 * @param pass number of the sweep when the timer was set
 * @param expiresAt epoch second after which TTL may delete the row
 */
@StoredAs(RowKind.ERASURE_ALARM)
public record ErasureTimer(String hash, long pass, long expiresAt) implements Row {
  private static final String SORT = "ALARM";
  private static final String SWEEP = "SWEEP";

  /** The key of the timer of the sweep. */
  public static final Key OF_SWEEP = new Key(Keys.erasure(SWEEP), SORT);

  /** Returns the timer of the sweep. */
  public static ErasureTimer ofSweep(long number, Instant at) {
    return new ErasureTimer(SWEEP, number, at.getEpochSecond());
  }

  /** Returns whether this is the timer of the sweep, not of a single erasure. */
  public boolean isOfSweep() {
    return hash.equals(SWEEP);
  }

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
