package social.feed.table.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request that must happen once: {@code IDEMP#<user>#<key> / META}. It reserves the id and the
 * time of what the request creates, so a retry after a crash writes the same item.
 *
 * @param userId the caller
 * @param requestKey the caller's {@code Idempotency-Key}
 * @param fingerprint of the request; another one under the same key is refused
 * @param resourceId the reserved id
 * @param createdAt the reserved time
 * @param status HTTP status of the answer, absent until the request was completed
 * @param body the answer, absent until then
 * @param expiresAt epoch second after which the key is forgotten
 */
public record IdempotencyRecord(
    String userId,
    String requestKey,
    String fingerprint,
    String resourceId,
    Instant createdAt,
    @Nullable Integer status,
    @Nullable String body,
    long expiresAt)
    implements Row {
  public static final String STATUS = "status";
  public static final String BODY = "body";

  public static Key key(String userId, String requestKey) {
    return new Key(Keys.idempotency(userId, requestKey), Keys.META);
  }

  @Override
  public Key key() {
    return key(userId, requestKey);
  }
}
