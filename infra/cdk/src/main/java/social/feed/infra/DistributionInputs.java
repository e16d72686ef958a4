package social.feed.infra;

import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The distribution in front of the bucket of media. The operator makes the key pair. The public
 * half is in the template, and the private half in a secret that no stack creates.
 *
 * @param publicKeys the keys that the distribution accepts, in Base64 without the lines of PEM; the
 *     API signs with the private half of the first one. None without a distribution
 * @param keySecret ARN of the secret with the private half in PEM
 */
record DistributionInputs(List<String> publicKeys, Optional<String> keySecret) {
  static final String DISTRIBUTION = "mediaDistribution";
  static final String PUBLIC_KEYS = "mediaPublicKey";
  static final String KEY_SECRET = "mediaKeySecret";

  /** Clients get files from the bucket. */
  static final String NONE = "none";

  static final String CLOUDFRONT = "cloudfront";

  /** One that signs and, while it is replaced, another one that is still accepted. */
  private static final int KEYS_MAX = 2;

  private static final int RSA_BITS = 2048;
  private static final int EC_BITS = 256;

  private static final Pattern SECRET =
      Pattern.compile("arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\\d{12}:secret:[\\w/+=.@-]+");

  /**
   * @throws MissingInputException if a key or the secret is missing or wrong
   */
  DistributionInputs {
    if (publicKeys.isEmpty() != keySecret.isEmpty()) {
      throw new MissingInputException(
          "%s and %s need each other".formatted(PUBLIC_KEYS, KEY_SECRET));
    }
    if (publicKeys.size() > KEYS_MAX) {
      throw new MissingInputException(
          "%s must be at most %d keys, the one that signs first".formatted(PUBLIC_KEYS, KEYS_MAX));
    }
    publicKeys.forEach(DistributionInputs::requireKey);
    if (keySecret.isPresent() && !SECRET.matcher(keySecret.get()).matches()) {
      throw new MissingInputException(KEY_SECRET + " must be the ARN of a secret");
    }
  }

  private static void requireKey(String key) {
    boolean isAccepted =
        switch (parsed(key).orElse(null)) {
          case RSAPublicKey rsa -> rsa.getModulus().bitLength() == RSA_BITS;
          case ECPublicKey ec -> ec.getParams().getOrder().bitLength() == EC_BITS;
          case null, default -> false;
        };
    if (!isAccepted) {
      throw new MissingInputException(
          ("%s must be a public key of RSA with %d bits or EC on P-256, in Base64 without the lines"
                  + " of PEM: openssl pkey -in KEY.pem -pubout -outform DER | base64 | tr -d '\\n"
                  + "'")
              .formatted(PUBLIC_KEYS, RSA_BITS));
    }
  }

  private static Optional<PublicKey> parsed(String key) {
    for (var algorithm : List.of("RSA", "EC")) {
      try {
        var encoded = new X509EncodedKeySpec(Base64.getDecoder().decode(key));
        return Optional.of(KeyFactory.getInstance(algorithm).generatePublic(encoded));
      } catch (InvalidKeySpecException | IllegalArgumentException e) {
        // It is a key of another kind, or none.
        continue;
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("Every JDK has " + algorithm, e);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the inputs in the context of an app.
   *
   * @throws MissingInputException if one of them is missing or has no possible value
   */
  static DistributionInputs of(InputContext context, MediaKind media) {
    var distribution = context.value(DISTRIBUTION, NONE);
    var inputs =
        new DistributionInputs(
            Arrays.stream(context.value(PUBLIC_KEYS, "").split(","))
                .map(String::strip)
                .filter(key -> !key.isEmpty())
                .toList(),
            context.optional(KEY_SECRET));
    return switch (distribution) {
      case NONE -> {
        if (inputs.isOn()) {
          throw new MissingInputException(
              "%s needs %s=%s".formatted(PUBLIC_KEYS, DISTRIBUTION, CLOUDFRONT));
        }
        yield inputs;
      }
      case CLOUDFRONT -> {
        if (media != MediaKind.S3) {
          throw new MissingInputException(
              "%s=%s needs %s=%s"
                  .formatted(DISTRIBUTION, CLOUDFRONT, MediaKind.MEDIA, MediaKind.S3.label()));
        }
        if (!inputs.isOn()) {
          throw new MissingInputException(
              "%s=%s needs %s and %s".formatted(DISTRIBUTION, CLOUDFRONT, PUBLIC_KEYS, KEY_SECRET));
        }
        yield inputs;
      }
      default ->
          throw new MissingInputException(
              "%s must be %s or %s, not %s"
                  .formatted(DISTRIBUTION, NONE, CLOUDFRONT, distribution));
    };
  }

  /** Returns whether there is a distribution. */
  boolean isOn() {
    return !publicKeys.isEmpty();
  }

  /** Returns a key as PEM has it. */
  static String pem(String key) {
    var lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
    return "-----BEGIN PUBLIC KEY-----\n"
        + lines.encodeToString(Base64.getDecoder().decode(key))
        + "\n-----END PUBLIC KEY-----\n";
  }
}
