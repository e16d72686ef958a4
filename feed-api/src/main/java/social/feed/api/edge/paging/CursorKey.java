package social.feed.api.edge.paging;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals positions: {@code mac ‖ AES-CTR(position)} with {@code mac = HMAC-SHA256(scope, position)}.
 * The first half of the MAC is the initialization vector (a synthetic one, as in RFC 5297). The
 * position is encrypted: where a page ends early, it belongs to an item that the caller may not
 * see.
 */
final class CursorKey {
  static final int MAC_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final String CIPHER = "AES/CTR/NoPadding";
  private static final int BLOCK_BYTES = 16;

  private final SecretKeySpec key;
  private final SecretKeySpec cipherKey;

  CursorKey(String secret) {
    this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    // No scope has only one part, so this cannot be the MAC of a cursor.
    this.cipherKey = new SecretKeySpec(mac(List.of("positions"), new byte[0]), "AES");
  }

  byte[] seal(CursorScope scope, byte[] position) {
    byte[] mac = mac(scope, position);
    return ByteBuffer.allocate(MAC_BYTES + position.length)
        .put(mac)
        .put(crypt(mac, position))
        .array();
  }

  /** Returns the position, if this key sealed exactly these bytes for this scope. */
  Optional<byte[]> open(CursorScope scope, byte[] token) {
    byte[] position = crypt(token, Arrays.copyOfRange(token, MAC_BYTES, token.length));
    return MessageDigest.isEqual(Arrays.copyOf(token, MAC_BYTES), mac(scope, position))
        ? Optional.of(position)
        : Optional.empty();
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
}
