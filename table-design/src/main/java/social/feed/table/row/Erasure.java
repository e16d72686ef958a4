package social.feed.table.row;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The erasure of an account and how far it is: {@code ERASURE#<hash of the id> / META}. It is
 * written in the transaction that deletes the profile, and each later version of it comes back
 * through the stream as the order to go on. While it is there the id cannot register again.
 *
 * @param hash SHA-256 of the user id in hexadecimal digits
 * @param userId whose; gone once it is erased
 * @param requestedAt when
 * @param step what is next
 * @param afterPartition where a walk goes on, absent at its beginning
 * @param afterSort where any step goes on, absent at its beginning
 * @param passes walks that were finished
 * @param traced whether the walk under way has found something; noted before anything is removed,
 *     so that one that was cut off is not taken for one that found nothing
 * @param revision grows by one with each change
 * @param erasedAt when it was done, absent until then
 * @param expiresAt epoch second after which the id may register again, absent until it is done
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
    @Nullable Long expiresAt)
    implements Row {
  public static final String REVISION = "revision";

  /**
   * How long a walk waits for what may be under way: longer than the stream keeps a record or an
   * idempotency record is kept (a day each), and than any request takes.
   */
  public static final Duration REST = Duration.ofHours(25);

  /** How long it is remembered: longer than a dead letter is kept (14 days). */
  public static final Duration REMEMBERED = Duration.ofDays(30);

  /** The erasure of an account as it begins. */
  public static Erasure of(String userId, Instant now) {
    return new Erasure(
        hash(userId), userId, now, ErasureStep.POSTS, null, null, 0, false, 0, null, null);
  }

  /** What stands for an id where the id itself must not stand. */
  public static String hash(String userId) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(userId.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  /** With the note that the walk under way has found something. */
  public Erasure tracing() {
    return next(step, afterPartition, afterSort, passes, true);
  }

  /** After a part of a step. */
  public Erasure after(@Nullable String partition, String sort) {
    return next(step, partition, sort, passes, traced);
  }

  /**
   * After the last part of a step: what was walked without a find, long after all, is the proof.
   */
  public Erasure done(Instant now) {
    return switch (step) {
      case POSTS -> next(ErasureStep.FOLLOWING, null, null, passes, false);
      case FOLLOWING -> next(ErasureStep.FOLLOWERS, null, null, passes, false);
      case FOLLOWERS -> next(ErasureStep.WALK, null, null, passes, false);
      case WALK ->
          passes == 0 || traced
              ? next(ErasureStep.RESTING, null, null, passes + 1, false)
              : erased(now);
      case RESTING, ERASED -> throw new IllegalStateException("Nothing to do at " + step);
    };
  }

  /** After the rest: walks again. */
  public Erasure awoken() {
    return next(ErasureStep.WALK, null, null, passes, false);
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
        now.plus(REMEMBERED).getEpochSecond());
  }

  private Erasure next(
      ErasureStep to,
      @Nullable String partition,
      @Nullable String sort,
      long walks,
      boolean found) {
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
        expiresAt);
  }

  /** Where the erasure of an account is noted. */
  public static Key key(String userId) {
    return hashed(hash(userId));
  }

  /** The same by the hash of the id. */
  public static Key hashed(String hash) {
    return new Key(Keys.erasure(hash), Keys.META);
  }

  @Override
  public Key key() {
    return hashed(hash);
  }

  @Override
  public Set<String> referencedAccounts() {
    // The id is here as an order to the stream, and goes when the erasure ends.
    return Set.of();
  }

  @Override
  public List<Key> parents() {
    // The account is deleted in the transaction that writes the row.
    return List.of();
  }
}
