package social.feed.ctl;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import social.feed.table.media.BucketSettings;
import social.feed.table.media.MediaBucket;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaStore;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/** The options that select the store of media. */
final class MediaOptions {
  private static final String BUCKET = "s3://";
  private static final Duration CALL = Duration.ofSeconds(60);

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--media",
      paramLabel = "DIR|s3://BUCKET",
      description =
          "the folder or the bucket with the bytes of files; without it verify and erasure ask the platform"
              + " at --url for its own, other commands remove nothing, and with --region none is known")
  private @Nullable String media;

  @Option(
      names = "--media-endpoint",
      paramLabel = "URL",
      description = "of another service that speaks S3; by default that of --region")
  private @Nullable URI endpoint;

  /**
   * Returns the store, with the credentials of this user for a bucket.
   *
   * @param table its region is that of the bucket
   */
  Optional<MediaStore> store(TableOptions table) {
    return Optional.ofNullable(media)
        .map(
            place ->
                place.startsWith(BUCKET)
                    ? bucket(place.substring(BUCKET.length()), table)
                    : new MediaFolder(Path.of(place)));
  }

  /**
   * Returns the store that is named, or that of the running platform.
   *
   * @return empty for a table of AWS and for a platform without a store, unless one is named
   * @throws IllegalStateException if the platform has another table
   */
  Optional<MediaStore> storeOfPlatform(TableOptions table) {
    return store(table).or(() -> table.isOfAws() ? Optional.empty() : folderOfPlatform(table));
  }

  private static Optional<MediaStore> folderOfPlatform(TableOptions table) {
    return PlatformMedia.folder(table.url(), table.endpoint())
        .map(folder -> new MediaFolder(folder.path()));
  }

  private MediaStore bucket(String name, TableOptions table) {
    try {
      return new MediaBucket(
          new BucketSettings(name, table.region(), endpoint, CALL),
          DefaultCredentialsProvider.builder().build());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--media: " + e.getMessage(), e);
    }
  }
}
