package social.feed.table.row;

import java.util.List;
import java.util.Set;

/**
 * A request that happened once: {@code IDEMP#<user>#<key> / META}. Written in one transaction with
 * what the request created, so there is never one without the other, and a retry finds the answer.
 *
 * @param userId the caller
 * @param requestKey the caller's {@code Idempotency-Key}
 * @param fingerprint of the request; another one under the same key is refused
 * @param resourceId id of what was created
 * @param status HTTP status of the answer
 * @param body the answer
 * @param expiresAt epoch second after which the key is forgotten
 */
@StoredAs(RowKind.IDEMPOTENCY_RECORD)
public record IdempotencyRecord(
    String userId,
    String requestKey,
    String fingerprint,
    String resourceId,
    int status,
    String body,
    long expiresAt)
    implements Row {
  public static Key key(String userId, String requestKey) {
    return new Key(Keys.idempotency(userId, requestKey), Keys.META);
  }

  /**
   * Whether the answer names an account by its id. A handle or a text may be the same word, and
   * anybody may write that at any time; within a text quotes are escaped, so nobody can write this.
   */
  public boolean names(String accountId) {
    return body.contains("\"id\":\"" + accountId + "\"");
  }

  /** The same request with another answer. */
  public IdempotencyRecord answering(int status, String body) {
    return new IdempotencyRecord(
        userId, requestKey, fingerprint, resourceId, status, body, expiresAt);
  }

  @Override
  public Key key() {
    return key(userId, requestKey);
  }

  @Override
  public Set<String> referencedAccounts() {
    return Set.of(userId);
  }

  @Override
  public List<Key> parents() {
    // The row expires, and may outlive the resource that the request created.
    return List.of();
  }
}
