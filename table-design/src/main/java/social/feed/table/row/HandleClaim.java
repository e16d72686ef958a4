package social.feed.table.row;

/**
 * Who owns a handle: {@code HANDLE#<lower-case handle> / META}. Written in one transaction with the
 * account, which makes handles unique.
 *
 * @param handle as the owner wrote it
 * @param userId the owner
 */
public record HandleClaim(String handle, String userId) implements Row {
  public static final String USER_ID = "user_id";

  public static Key key(String handle) {
    return new Key(Keys.handle(handle), Keys.META);
  }

  @Override
  public Key key() {
    return key(handle);
  }
}
