package social.feed.api.edge.paging;

import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * Encodes cursors: {@code base64url(mac ‖ AES-CTR(position))} with {@code mac = HMAC-SHA256(scope,
 * position)}. The first half of the MAC is the initialization vector (a synthetic one, as in RFC
 * 5297). The scope is signed and not contained, so a cursor is valid only for its caller and list.
 * The position is encrypted: where a page ends early, it belongs to an item that the caller may not
 * see. The page size is not part of a cursor, so pages of different sizes concatenate.
 */
@Singleton
public final class CursorCodec {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String CIPHER = "AES/CTR/NoPadding";
  private static final int MAC_BYTES = 32;
  private static final int BLOCK_BYTES = 16;
  // A position is at most a few keys. DynamoDB allows 2 KiB and 1 KiB for the parts of a key.
  private static final int LENGTH_MAX = 8192;

  private final SecretKeySpec key;
  private final SecretKeySpec cipherKey;

  CursorCodec(CursorConfiguration configuration) {
    this.key =
        new SecretKeySpec(configuration.secret().getBytes(StandardCharsets.UTF_8), ALGORITHM);
    // No scope has only one part, so this cannot be the MAC of a cursor.
    this.cipherKey = new SecretKeySpec(mac(List.of("positions"), new byte[0]), "AES");
  }

  /** Returns the cursor of a position in a list. */
  public String encode(CursorScope scope, String position) {
    byte[] payload = position.getBytes(StandardCharsets.UTF_8);
    ByteBuffer token = ByteBuffer.allocate(MAC_BYTES + payload.length);
    byte[] mac = mac(scope, payload);
    token.put(mac).put(crypt(mac, payload));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
  }

  /**
   * Returns the position in a cursor.
   *
   * @throws ProblemException {@code invalid_cursor}, unless {@link #encode} returned exactly this
   *     cursor for this scope
   */
  public String decode(CursorScope scope, String cursor) {
    byte[] token = bytes(cursor);
    byte[] payload = crypt(token, Arrays.copyOfRange(token, MAC_BYTES, token.length));
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
      // The decoder ignores spare bits of the last character and accepts padding. Only the spelling
      // that the encoder writes is valid.
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

  /** Encrypts or decrypts with the initialization vector at the start of a MAC. */
  private byte[] crypt(byte[] mac, byte[] text) {
    try {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.ENCRYPT_MODE, cipherKey, new IvParameterSpec(mac, 0, BLOCK_BYTES));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(CIPHER + " is part of every JDK", e);
    }
  }

  private byte[] mac(CursorScope scope, byte[] payload) {
    return mac(List.of(scope.viewerId(), scope.pattern(), scope.resource()), payload);
  }

  private byte[] mac(List<String> parts, byte[] payload) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (String part : parts) {
        update(mac, part.getBytes(StandardCharsets.UTF_8));
      }
      update(mac, payload);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is part of every JDK", e);
    }
  }

  /** Adds a part with its length, so that two scopes never have the same bytes. */
  private static void update(Mac mac, byte[] part) {
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    mac.update(part);
  }

  private static ProblemException invalid() {
    return new ProblemException(
        ProblemCode.INVALID_CURSOR, "The cursor was not made for this caller and this list");
  }
}
