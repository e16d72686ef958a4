package social.feed.table.row;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Objects of a deleted file that the store could not remove: {@code MEDIA#<id> / REMOVAL}, and its
 * timer {@code MEDIA#<id> / REMOVAL#ALARM}. The first one stays until the objects are gone, so the
 * erasure of the owner waits for them. The stream record of the expiry of the timer makes the next
 * attempt.
 *
 * @param mediaId the file, whose own row is gone
 * @param ownerId the account that had it
 * @param failures how often the removal failed
 * @param expiresAt epoch second after which TTL may delete the timer; absent in the other row
 */
@StoredAs(RowKind.MEDIA_REMOVAL)
public record MediaRemoval(String mediaId, String ownerId, long failures, @Nullable Long expiresAt)
    implements Row {
  public static final String FAILURES = "failures";

  /** So many attempts, ten minutes to ten hours apart, took more than a day. */
  private static final int STUCK = 9;

  private static final String SORT = "REMOVAL";
  private static final String TIMER = SORT + "#ALARM";

  /** Returns the note that objects of a file remain. */
  public static MediaRemoval of(String mediaId, String ownerId, long failures) {
    return new MediaRemoval(mediaId, ownerId, failures, null);
  }

  /** Returns the timer of the next attempt. */
  public MediaRemoval timer(Instant at) {
    return new MediaRemoval(mediaId, ownerId, failures, at.getEpochSecond());
  }

  /** Returns the removal after one more failure, without a time. */
  public MediaRemoval failed() {
    return of(mediaId, ownerId, failures + 1);
  }

  /** Returns whether attempts have failed for more than a day, so that an operator must look. */
  public boolean isStuck() {
    return failures >= STUCK;
  }

  /** Returns whether this row is the timer. */
  public boolean isTimer() {
    return expiresAt != null;
  }

  /** The key of the note. */
  public static Key key(String mediaId) {
    return new Key(Keys.media(mediaId), SORT);
  }

  /** The key of the timer. */
  public static Key timerKey(String mediaId) {
    return new Key(Keys.media(mediaId), TIMER);
  }

  @Override
  public Key key() {
    return isTimer() ? timerKey(mediaId) : key(mediaId);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(ownerId);
  }

  @Override
  public List<Key> parents() {
    // The file is gone, and its owner may be.
    return List.of();
  }
}
