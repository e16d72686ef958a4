package social.feed.api.media;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Duration;
import java.util.Objects;
import social.feed.api.edge.dynamodb.DynamoDbConfiguration;
import social.feed.table.media.BucketSettings;
import social.feed.table.media.MediaBucket;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaStore;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** Registers the configured store of bytes. Without one the routes of media do not exist. */
@Factory
final class MediaStoreFactory {
  /** Far longer than a healthy bucket takes, retries included. */
  private static final Duration CALL = Duration.ofSeconds(10);

  /** Is created at the start, so that a wrong setting fails it. */
  @Context
  @Requires(property = "feed.media.folder")
  MediaStore folder(
      MediaConfiguration configuration,
      DistributionConfiguration distribution,
      DynamoDbConfiguration table) {
    if (configuration.bucket() != null) {
      throw new ConfigurationException("Set feed.media.folder or feed.media.bucket, not both");
    }
    if (distribution.url() != null) {
      throw new ConfigurationException(
          "feed.media.distribution.url needs feed.media.bucket: a folder has no distribution");
    }
    if (!table.local()) {
      throw new ConfigurationException(
          "feed.media.folder needs feed.dynamodb.local: the multiplexer of a deployed stage has no"
              + " folder, so the bytes of deleted files would stay. Set feed.media.bucket there");
    }
    return new MediaFolder(Objects.requireNonNull(configuration.folder()));
  }

  /** Is created at the start like a folder. Sends no request. */
  @Context
  @Bean(preDestroy = "close")
  @Requires(property = "feed.media.bucket", missingProperty = "feed.media.folder")
  MediaBucket bucket(MediaConfiguration configuration, DynamoDbConfiguration table) {
    requireSignable("feed.media.upload-within", configuration.uploadWithin());
    requireSignable("feed.media.addresses-valid", configuration.addressesValid().multipliedBy(2));
    return new MediaBucket(
        settings(configuration, table), DefaultCredentialsProvider.builder().build());
  }

  private static BucketSettings settings(
      MediaConfiguration configuration, DynamoDbConfiguration table) {
    String region = configuration.region();
    try {
      return new BucketSettings(
          Objects.requireNonNull(configuration.bucket()),
          region == null ? table.region() : region,
          configuration.endpoint(),
          CALL);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("Correct feed.media: " + e.getMessage());
    }
  }

  private static void requireSignable(String setting, Duration longest) {
    if (longest.compareTo(MediaBucket.VALID_MAX) > 0) {
      throw new ConfigurationException(
          "%s is too long: no address of a bucket is valid for more than %d days"
              .formatted(setting, MediaBucket.VALID_MAX.toDays()));
    }
  }
}
