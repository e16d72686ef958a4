package social.feed.event.webhook;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of a webhook, as Standard Webhooks has it: {@code whsec_} and Base64. It signs id,
 * time and body of a call with HMAC-SHA256.
 */
public final class WebhookSecret {
  private static final String PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 32;

  /** The bounds of Standard Webhooks. */
  private static final int SHORTEST = 24;

  private static final int LONGEST = 64;

  private final byte[] key;

  private WebhookSecret(byte[] key) {
    this.key = key;
  }

  /** Returns a new secret of 32 bytes. */
  public static WebhookSecret random() {
    var key = new byte[BYTES];
    new SecureRandom().nextBytes(key);
    return new WebhookSecret(key);
  }

  /**
   * Returns the secret of a text.
   *
   * @throws IllegalArgumentException if it is none; the message does not contain it
   */
  public static WebhookSecret of(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException("The secret of a webhook begins with " + PREFIX);
    }
    byte[] key;
    try {
      key = Base64.getDecoder().decode(text.substring(PREFIX.length()));
    } catch (IllegalArgumentException _) {
      throw new IllegalArgumentException("The secret of a webhook is not in Base64");
    }
    return of(key);
  }

  /**
   * Returns the secret of some bytes.
   *
   * @throws IllegalArgumentException for fewer than 24 bytes or more than 64
   */
  public static WebhookSecret of(byte[] key) {
    if (key.length < SHORTEST || key.length > LONGEST) {
      throw new IllegalArgumentException(
          "The secret of a webhook has %d to %d bytes, not %d"
              .formatted(SHORTEST, LONGEST, key.length));
    }
    return new WebhookSecret(key.clone());
  }

  /** Returns the text that a receiver is given. */
  public String text() {
    return PREFIX + Base64.getEncoder().encodeToString(key);
  }

  /**
   * Returns whether a received call has the signature of this secret, as a receiver checks it. The
   * time of the call is not compared with the present one.
   *
   * @param id the header {@code webhook-id}
   * @param timestamp the header {@code webhook-timestamp}
   * @param signatures the header {@code webhook-signature}, with one signature or several
   */
  public boolean hasSigned(String id, Instant timestamp, String body, String signatures) {
    var expected = signature(id, timestamp, body).getBytes(StandardCharsets.UTF_8);
    return Stream.of(signatures.split(" ", -1))
        .anyMatch(one -> MessageDigest.isEqual(expected, one.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the value of the header {@code webhook-signature}. */
  String signature(String id, Instant at, String body) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      var signed = id + "." + at.getEpochSecond() + "." + body;
      return "v1,"
          + Base64.getEncoder()
              .encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("Every JVM has HMAC-SHA256", e);
    }
  }
}
