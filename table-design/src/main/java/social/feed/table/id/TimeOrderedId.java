package social.feed.table.id;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Identifiers whose text order is the order of their time: version 7 UUIDs (RFC 9562) in lower
 * case. The first 48 bits are milliseconds since 1970, so the time can be read back.
 */
public final class TimeOrderedId {
  private static final long VERSION_7 = 0x7000L;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final int TIME_SHIFT = 16;

  private TimeOrderedId() {}

  /** A new identifier of a time. */
  public static String random(Instant time, RandomGenerator random) {
    return of(time, random.nextLong(), random.nextLong());
  }

  /**
   * The identifier of something that a time and some words name: the same for the same input, which
   * makes a replay write the same item.
   */
  public static String named(Instant time, String... words) {
    var digest = ByteBuffer.wrap(sha256(String.join("\n", words)));
    return of(time, digest.getLong(), digest.getLong());
  }

  /**
   * The time of an identifier.
   *
   * @throws IllegalArgumentException when the text is no identifier of this kind
   */
  public static Instant timeOf(String id) {
    if (!isValid(id)) {
      throw new IllegalArgumentException("Not a time-ordered id: " + id);
    }
    return Instant.ofEpochMilli(UUID.fromString(id).getMostSignificantBits() >>> TIME_SHIFT);
  }

  /** Whether a text is an identifier of this kind, exactly as we write it. */
  public static boolean isValid(String text) {
    try {
      var id = UUID.fromString(text);
      return id.version() == 7 && id.variant() == 2 && id.toString().equals(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String of(Instant time, long high, long low) {
    long most = (time.toEpochMilli() << TIME_SHIFT) | VERSION_7 | (high & 0xFFF);
    return new UUID(most, VARIANT | (low >>> 2)).toString();
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
