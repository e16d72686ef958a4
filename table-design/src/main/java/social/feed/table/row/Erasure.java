package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.id.Sha256;

/**
 * The erasure of an account and its progress: {@code ERASURE#<hash of the id> / META}. It is
 * written in the transaction that deletes the profile. The stream delivers each later version as
 * the order to continue. While the row exists, the id cannot register again.
 *
 * @param hash SHA-256 of the user id in hexadecimal digits
 * @param userId the account; absent once it is erased
 * @param requestedAt when the erasure was requested
 * @param step the next step
 * @param afterPartition partition in which the walk continues; absent at its beginning
 * @param afterSort sort key after which any step continues; absent at its beginning
 * @param passes number of finished sweeps that included the account
 * @param traced whether the current sweep has found a reference to the account. It is written
 *     before anything is removed, so a part that was interrupted does not count as one that found
 *     nothing
 * @param revision grows by one with each change
 * @param erasedAt when the erasure ended, absent until then
 * @param expiresAt epoch second after which the id may register again, absent until the erasure
 *     ends
 * @param followers number of followers when the account was deleted, which bounds the audience of
 *     its posts; absent for none, and in a row of an earlier version
 * @param granted units that the pace has granted so far; absent for none
 * @param spent units that the parts so far have cost; absent for none
 * @param orderedAt when this version ordered the next part; absent before the first part, once the
 *     erasure rests, and in a row of an earlier version
 */
@StoredAs(RowKind.ERASURE)
public record Erasure(
    String hash,
    @Nullable String userId,
    Instant requestedAt,
    ErasureStep step,
    @Nullable String afterPartition,
    @Nullable String afterSort,
    long passes,
    boolean traced,
    long revision,
    @Nullable Instant erasedAt,
    @Nullable Long expiresAt,
    @Nullable Long followers,
    @Nullable Long granted,
    @Nullable Long spent,
    @Nullable Instant orderedAt)
    implements Row {
  public static final String REVISION = "revision";

  /** Returns the erasure of an account without followers at its beginning. */
  public static Erasure of(String userId, Instant now) {
    return of(userId, null, now);
  }

  /** Returns the erasure of an account at its beginning. */
  public static Erasure of(User user, Instant now) {
    return of(user.userId(), user.followersCount() > 0 ? user.followersCount() : null, now);
  }

  private static Erasure of(String userId, @Nullable Long followers, Instant now) {
    return new Erasure(
        hash(userId),
        userId,
        now,
        ErasureStep.POSTS,
        null,
        null,
        0,
        false,
        0,
        null,
        null,
        followers,
        null,
        null,
        null);
  }

  /** Returns the hash that replaces an id where the id itself must not be stored. */
  public static String hash(String userId) {
    return Sha256.hex(userId);
  }

  /** Returns the erasure with the note that the current sweep has found a reference. */
  public Erasure withReferenceFound() {
    return next(step, afterPartition, afterSort, passes, true);
  }

  /** Returns the erasure after a part of a step. */
  public Erasure after(@Nullable String partition, String sort) {
    return next(step, partition, sort, passes, traced);
  }

  /** Returns the erasure with more units, which orders the part that waits for them. */
  public Erasure granted(long units) {
    return with(revision + 1, unitsGranted() + units, spent, orderedAt);
  }

  /** Returns the erasure in the same state with another revision, which orders its part again. */
  public Erasure again() {
    return with(revision + 1, granted, spent, orderedAt);
  }

  /** Returns the same version of the erasure, with the time at which it orders the next part. */
  public Erasure at(Instant now) {
    return with(revision, granted, spent, step.isUnderWay() ? now : null);
  }

  /**
   * Returns when the part that is under way was ordered; for an earlier version, some time before.
   */
  public Instant lastOrder() {
    return orderedAt == null ? requestedAt : orderedAt;
  }

  /** Returns the same version of the erasure, with the units that its last part has cost. */
  public Erasure spent(long units) {
    return with(revision, granted, (spent == null ? 0 : spent) + units, orderedAt);
  }

  private Erasure with(
      long version, @Nullable Long units, @Nullable Long used, @Nullable Instant at) {
    return new Erasure(
        hash,
        userId,
        requestedAt,
        step,
        afterPartition,
        afterSort,
        passes,
        traced,
        version,
        erasedAt,
        expiresAt,
        followers,
        units,
        used,
        at);
  }

  /** Returns the units that the pace has granted so far. */
  public long unitsGranted() {
    return granted == null ? 0 : granted;
  }

  /** Returns the units that were granted and not yet spent. */
  public long unitsLeft() {
    return unitsGranted() - (spent == null ? 0 : spent);
  }

  /** Returns the number of followers when the account was deleted, 0 where it is not known. */
  public long audience() {
    return followers == null ? 0 : followers;
  }

  /** Returns the erasure after the last part of a step. */
  public Erasure done() {
    return switch (step) {
      case POSTS -> next(ErasureStep.FOLLOWING, null, null, passes, false);
      case FOLLOWING -> next(ErasureStep.FOLLOWERS, null, null, passes, false);
      case FOLLOWERS -> next(ErasureStep.LIKES, null, null, passes, false);
      case LIKES -> next(ErasureStep.COMMENTS, null, null, passes, false);
      case COMMENTS -> next(ErasureStep.WALK, null, null, passes, false);
      case WALK, RESTING -> next(ErasureStep.RESTING, null, null, passes, false);
      case ERASED -> throw new IllegalStateException("The erasure has ended: " + hash);
    };
  }

  /**
   * Returns the erasure after a sweep.
   *
   * @param isProven whether the sweep proves that nothing is left; otherwise the erasure waits for
   *     the next one
   */
  public Erasure swept(boolean isProven, Instant now) {
    return isProven ? erased(now) : next(ErasureStep.RESTING, null, null, passes + 1, false);
  }

  private Erasure erased(Instant now) {
    return new Erasure(
        hash,
        null,
        requestedAt,
        ErasureStep.ERASED,
        null,
        null,
        passes + 1,
        false,
        revision + 1,
        now,
        now.plus(Retention.FINISHED_ERASURES).getEpochSecond(),
        null,
        null,
        null,
        null);
  }

  private Erasure next(
      ErasureStep to,
      @Nullable String partition,
      @Nullable String sort,
      long walks,
      boolean found) {
    // What the steps before need ends with them.
    boolean isUnderWay = to.isUnderWay();
    return new Erasure(
        hash,
        Objects.requireNonNull(userId),
        requestedAt,
        to,
        partition,
        sort,
        walks,
        found,
        revision + 1,
        erasedAt,
        expiresAt,
        isUnderWay ? followers : null,
        isUnderWay ? granted : null,
        isUnderWay ? spent : null,
        isUnderWay ? orderedAt : null);
  }

  /** Returns the key of an account's erasure. */
  public static Key key(String userId) {
    return hashed(hash(userId));
  }

  /** Returns the key of the erasure with this hash of the id. */
  public static Key hashed(String hash) {
    return new Key(Keys.erasure(hash), Keys.META);
  }

  @Override
  public Key key() {
    return hashed(hash);
  }

  @Override
  public Set<String> referencedAccounts() {
    // The row orders the erasure and drops the id at its end. The position of a walk may contain
    // ids of other accounts, but the next part of the walk replaces it.
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // The account is deleted in the transaction that writes the row.
    return List.of();
  }
}
