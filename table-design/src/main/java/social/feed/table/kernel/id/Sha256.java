package social.feed.table.kernel.id;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes of SHA-256, which every Java platform has. */
public final class Sha256 {
  private Sha256() {}

  /** Begins the hash of several parts. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is missing; every Java platform must have it", e);
    }
  }

  public static byte[] of(byte[] bytes) {
    return begin().digest(bytes);
  }

  /** Returns the hash of a text in UTF-8. */
  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a hash as 64 lowercase hexadecimal digits. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(of(bytes));
  }

  /** Returns the hash of a text in UTF-8 as 64 lowercase hexadecimal digits. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(of(text));
  }
}
