package social.feed.table.media;

import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a bucket is.
 *
 * @param bucket its name, which has no dot: addresses would fail the check of their certificate
 * @param region absent for the one of the environment, as the SDK finds it
 * @param endpoint of another service that speaks S3; absent for the region's own endpoint
 * @param callTimeout the maximum duration of a call, retries included
 */
public record BucketSettings(
    String bucket, @Nullable String region, @Nullable URI endpoint, Duration callTimeout) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{1,61}[a-z0-9]");

  public BucketSettings {
    if (!NAME.matcher(bucket).matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a bucket. Use 3 to 63 lower-case letters, digits and hyphens"
              .formatted(bucket));
    }
    if (endpoint != null && endpoint.getHost() == null) {
      throw new IllegalArgumentException(
          "The endpoint '%s' of the bucket is not an address such as http://127.0.0.1:4566"
              .formatted(endpoint));
    }
  }
}
