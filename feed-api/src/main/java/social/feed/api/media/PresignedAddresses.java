package social.feed.api.media;

import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import social.feed.table.media.MediaBucket;
import social.feed.table.row.Media;

/**
 * Signs absolute addresses of the bucket, with the credentials of the API. Clients send bytes to S3
 * and get them from there. Temporary credentials end their addresses with themselves.
 */
@Singleton
@Requires(property = "feed.media.bucket", missingProperty = "feed.media.distribution.url")
final class PresignedAddresses implements MediaAddresses {
  private final MediaBucket bucket;
  private final InstantSource clock;
  private final long validSeconds;

  PresignedAddresses(MediaBucket bucket, InstantSource clock, MediaConfiguration configuration) {
    this.bucket = bucket;
    this.clock = clock;
    this.validSeconds = Math.max(1, configuration.addressesValid().toSeconds());
  }

  @Override
  public UploadBody upload(Media media, Instant end) {
    long left = Math.max(1, Duration.between(clock.instant(), end).toSeconds());
    MediaBucket.SignedUpload signed = bucket.signedUpload(media, Duration.ofSeconds(left));
    return new UploadBody(
        media.mediaId(), UploadBody.PUT, signed.address().toString(), signed.headers(), end);
  }

  @Override
  public String file(String mediaId, String name) {
    long begin = clock.instant().getEpochSecond() / validSeconds * validSeconds;
    Duration valid = Duration.ofSeconds(2 * validSeconds);
    return bucket.signedFile(mediaId, name, Instant.ofEpochSecond(begin), valid).toString();
  }
}
