package social.feed.api.media;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import java.net.URI;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.media.MediaBucket;
import social.feed.table.row.Media;
import software.amazon.awssdk.services.cloudfront.CloudFrontUtilities;

/**
 * Signs addresses of a distribution in front of the bucket. Clients get files from there, and send
 * bytes to the bucket. A signature is for all sizes of one file until the end of the next window,
 * so that a page signs once for each file. A process keeps signatures for a window, at most {@value
 * #KEPT} of some 0.7 KB. An address ends with its time alone, whatever credentials the API has.
 */
@Context
@Requires(property = "feed.media.bucket")
@Requires(property = "feed.media.distribution.url")
final class DistributedAddresses implements MediaAddresses {
  private static final int KEPT = 10_000;
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";

  /** CloudFront accepts keys of these kinds. */
  private static final List<String> ALGORITHMS = List.of("RSA", "EC");

  private final PresignedAddresses uploads;
  private final InstantSource clock;
  private final long validSeconds;
  private final String url;
  private final String keyId;
  private final PrivateKey key;
  private final CloudFrontUtilities signer = CloudFrontUtilities.create();
  private final Cache<Signed, String> signatures;

  /** What a signature is for. */
  private record Signed(String mediaId, long end) {}

  /**
   * @throws ConfigurationException if a setting is missing or wrong; the message does not contain
   *     the key
   */
  DistributedAddresses(
      MediaBucket bucket,
      InstantSource clock,
      MediaConfiguration media,
      DistributionConfiguration distribution) {
    this.uploads = new PresignedAddresses(bucket, clock, media);
    this.clock = clock;
    this.validSeconds = Math.max(1, media.addressesValid().toSeconds());
    this.url = url(distribution.url());
    this.keyId = required("key-id", distribution.keyId());
    this.key = key(required("private-key", distribution.privateKey()));
    this.signatures =
        Caffeine.newBuilder()
            .maximumSize(KEPT)
            .expireAfterWrite(Duration.ofSeconds(validSeconds))
            .build();
  }

  private static String required(String setting, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw new ConfigurationException(
          "feed.media.distribution.url needs feed.media.distribution." + setting);
    }
    return value;
  }

  private static String url(@Nullable URI url) {
    if (url == null
        || url.getHost() == null
        || !"https".equals(url.getScheme())
        || !url.getPath().matches("/?")
        || url.getQuery() != null) {
      throw new ConfigurationException(
          "feed.media.distribution.url must be https://HOST, not '%s'".formatted(url));
    }
    return "https://" + url.getAuthority() + "/";
  }

  private static PrivateKey key(String pem) {
    String text = pem.strip();
    if (text.startsWith(BEGIN) && text.endsWith(END)) {
      String body = text.substring(BEGIN.length(), text.length() - END.length());
      byte[] encoded = decoded(body.replaceAll("\\s|\\\\n", ""));
      for (String algorithm : ALGORITHMS) {
        try {
          return KeyFactory.getInstance(algorithm)
              .generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (InvalidKeySpecException e) {
          // It is a key of another kind, or none.
          continue;
        } catch (NoSuchAlgorithmException e) {
          throw new IllegalStateException("Every JDK has " + algorithm, e);
        }
      }
    }
    throw noKey();
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw noKey();
    }
  }

  /** Has no cause, which could contain a part of the key. */
  private static ConfigurationException noKey() {
    return new ConfigurationException(
        "feed.media.distribution.private-key must be an RSA or EC key in PEM, which begins with "
            + BEGIN
            + ": openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048");
  }

  @Override
  public UploadBody upload(Media media, Instant end) {
    return uploads.upload(media, end);
  }

  @Override
  public String file(String mediaId, String name) {
    long end = (clock.instant().getEpochSecond() / validSeconds + 2) * validSeconds;
    return folder(mediaId) + name + signatures.get(new Signed(mediaId, end), this::signature);
  }

  private String folder(String mediaId) {
    return url + mediaId + "/";
  }

  /** Returns the query for all objects of a file, with its question mark. */
  private String signature(Signed signed) {
    String objects = folder(signed.mediaId()) + "*";
    String address =
        signer
            .getSignedUrlWithCustomPolicy(
                sign ->
                    sign.resourceUrl(folder(signed.mediaId()))
                        .resourceUrlPattern(objects)
                        .keyPairId(keyId)
                        .privateKey(key)
                        .expirationDate(Instant.ofEpochSecond(signed.end())))
            .url();
    return address.substring(address.indexOf('?'));
  }
}
