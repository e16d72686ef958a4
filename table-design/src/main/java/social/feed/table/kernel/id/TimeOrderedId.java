package social.feed.table.kernel.id;

import java.math.BigInteger;
import java.time.Instant;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Identifiers whose text order is the order of their time: ULIDs. They have 48 bits of milliseconds
 * since 1970 and 80 other bits, as 26 characters of Crockford's base 32 in upper case. The time can
 * be read back.
 */
public final class TimeOrderedId {
  /**
   * An identifier exactly as it is written here, with a time before the year 9775, so that the time
   * fits into a key.
   */
  public static final String PATTERN = "^[0-6][0-9A-HJKMNP-TV-Z]{25}$";

  private static final Pattern VALID = Pattern.compile(PATTERN);
  private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int LENGTH = 26;
  private static final int TIME_LENGTH = 10;
  private static final int DIGIT_BITS = 5;
  private static final int OTHER_BYTES = 10;

  private TimeOrderedId() {}

  /** Returns a new identifier with a time. */
  public static String random(Instant time, RandomGenerator random) {
    var others = new byte[OTHER_BYTES];
    random.nextBytes(others);
    return of(time, others);
  }

  /**
   * Returns the identifier derived from a time and some words. It is the same for the same input,
   * so a replay writes the same item.
   */
  public static String named(Instant time, String... words) {
    return of(time, Sha256.of(String.join("\n", words)));
  }

  /** Returns the identifier that sorts before all others of a time. */
  public static String first(Instant time) {
    return of(time, new byte[OTHER_BYTES]);
  }

  /**
   * Returns the time of an identifier.
   *
   * @throws IllegalArgumentException when the text is not such an identifier
   */
  public static Instant timeOf(String id) {
    if (!isValid(id)) {
      throw new IllegalArgumentException("Not a time-ordered id: " + id);
    }
    long millis = 0;
    for (int i = 0; i < TIME_LENGTH; i++) {
      millis = (millis << DIGIT_BITS) | DIGITS.indexOf(id.charAt(i));
    }
    return Instant.ofEpochMilli(millis);
  }

  /** Returns whether a text is an identifier exactly as it is written here. */
  public static boolean isValid(String text) {
    return VALID.matcher(text).matches();
  }

  private static String of(Instant time, byte[] others) {
    var bits =
        BigInteger.valueOf(time.toEpochMilli())
            .shiftLeft(OTHER_BYTES * Byte.SIZE)
            .or(new BigInteger(1, others, 0, OTHER_BYTES));
    var text = new char[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      int digit = bits.shiftRight(DIGIT_BITS * (LENGTH - 1 - i)).intValue() & (DIGITS.length() - 1);
      text[i] = DIGITS.charAt(digit);
    }
    return new String(text);
  }
}
