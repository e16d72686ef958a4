package social.feed.table.row;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The stored result of a request with an idempotency key: {@code IDEMP#<user>#<key> / META}. It is
 * written in one transaction with the resource that the request created. Neither exists without the
 * other, and a retry gets the stored response.
 *
 * @param userId the caller
 * @param requestKey the caller's {@code Idempotency-Key}
 * @param fingerprint hash of the request; another request with the same key is rejected
 * @param resourceId id of the created resource
 * @param status HTTP status of the response
 * @param body the response
 * @param expiresAt epoch second after which the key may be used again
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
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]*)\"");

  public static Key key(String userId, String requestKey) {
    return new Key(Keys.idempotency(userId, requestKey), Keys.META);
  }

  /**
   * Returns the ids in the response, of accounts and of others. An id as a bare word is not one: a
   * handle or a text may contain it. Quotes within a text are escaped, so no text can contain the
   * searched field.
   */
  public Set<String> respondedIds() {
    return ID.matcher(body).results().map(id -> id.group(1)).collect(Collectors.toSet());
  }

  /** Returns the record of the same request with another response. */
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
