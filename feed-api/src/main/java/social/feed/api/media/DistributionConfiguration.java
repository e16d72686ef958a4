package social.feed.api.media;

import io.micronaut.context.annotation.ConfigurationProperties;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A distribution of CloudFront in front of the bucket of files. Without it, clients get files from
 * the bucket. Uploads always go to the bucket.
 *
 * @param url the address of the distribution, such as {@code https://d111111abcdef8.cloudfront.net}
 * @param keyId the id of the public key, which a key group of the distribution has
 * @param privateKey the private key in PEM (PKCS #8, RSA with 2048 bits or EC on P-256)
 */
@ConfigurationProperties("feed.media.distribution")
record DistributionConfiguration(
    @Nullable URI url, @Nullable String keyId, @Nullable String privateKey) {

  /** Omits the private key, since the text may be logged. */
  @Override
  public String toString() {
    return "DistributionConfiguration[" + url + ", key " + keyId + "]";
  }
}
