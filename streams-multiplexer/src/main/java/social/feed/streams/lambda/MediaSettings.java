package social.feed.streams.lambda;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import social.feed.table.media.BucketSettings;

/**
 * Files of accounts. Their bytes are in a bucket, or on a local platform in a folder. Without
 * either, the API has no routes of media, and removals of files wait until there is one, with the
 * erasures of their owners.
 *
 * @param bucket the bucket of S3 where the bytes of files are kept, in place of a folder. API and
 *     multiplexer need the same one; clients send bytes to it and get them from it, at signed
 *     addresses
 * @param region of the bucket; by default for the API that of the table, for the function its own
 * @param endpoint of another service that speaks S3, which clients must reach as well; by default
 *     the region's own
 */
@Requires(property = "feed.multiplexer.dead-letter-queue-url")
@Requires(property = MediaSettings.BUCKET)
@ConfigurationProperties("feed.media")
public record MediaSettings(String bucket, @Nullable String region, @Nullable URI endpoint) {
  static final String BUCKET = "feed.media.bucket";

  BucketSettings of(Duration callTimeout) {
    return new BucketSettings(bucket, region, endpoint, callTimeout);
  }
}
