package social.feed.api.paging;

import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import social.feed.api.problem.ProblemCode;
import social.feed.api.problem.ProblemException;

/**
 * Cursors: {@code base64url(HMAC-SHA256(scope, position) ‖ position)}. The scope is signed, not
 * carried, so a cursor verifies only for the caller and the list it was made for. The page size is
 * no part of it: pages of any size concatenate.
 */
@Singleton
public final class CursorCodec {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int MAC_BYTES = 32;
  // A position is at most a few keys; DynamoDB allows 2 KiB and 1 KiB for each pair.
  private static final int LENGTH_MAX = 8192;

  private final SecretKeySpec key;

  CursorCodec(CursorConfiguration configuration) {
    this.key =
        new SecretKeySpec(configuration.secret().getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  /** The cursor of a position in a list. */
  public String encode(CursorScope scope, String position) {
    byte[] payload = position.getBytes(StandardCharsets.UTF_8);
    ByteBuffer token = ByteBuffer.allocate(MAC_BYTES + payload.length);
    token.put(mac(scope, payload)).put(payload);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
  }

  /**
   * The position in a cursor.
   *
   * @throws ProblemException {@code invalid_cursor}, unless {@link #encode} made exactly this
   *     cursor for this scope
   */
  public String decode(CursorScope scope, String cursor) {
    byte[] token = bytes(cursor);
    byte[] payload = Arrays.copyOfRange(token, MAC_BYTES, token.length);
    if (!MessageDigest.isEqual(Arrays.copyOf(token, MAC_BYTES), mac(scope, payload))) {
      throw invalid();
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
    } catch (CharacterCodingException e) {
      throw invalid();
    }
  }

  private static byte[] bytes(String cursor) {
    if (cursor.length() > LENGTH_MAX) {
      throw invalid();
    }
    try {
      byte[] token = Base64.getUrlDecoder().decode(cursor);
      // The decoder ignores the last character's spare bits and takes padding: only one spelling is
      // ours.
      boolean canonical =
          Base64.getUrlEncoder().withoutPadding().encodeToString(token).equals(cursor);
      if (token.length < MAC_BYTES || !canonical) {
        throw invalid();
      }
      return token;
    } catch (IllegalArgumentException e) {
      throw invalid();
    }
  }

  private byte[] mac(CursorScope scope, byte[] payload) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (String part : List.of(scope.viewerId(), scope.pattern(), scope.resource())) {
        update(mac, part.getBytes(StandardCharsets.UTF_8));
      }
      update(mac, payload);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is part of every JDK", e);
    }
  }

  /** With its length, so that no two scopes spell the same bytes. */
  private static void update(Mac mac, byte[] part) {
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    mac.update(part);
  }

  private static ProblemException invalid() {
    return new ProblemException(
        ProblemCode.INVALID_CURSOR, "The cursor was not made for this caller and this list");
  }
}
