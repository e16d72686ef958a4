package social.feed.api.media;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import java.util.Objects;
import social.feed.api.edge.dynamodb.DynamoDbConfiguration;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaStore;

/** Registers the configured store of bytes. Without one the routes of media do not exist. */
@Factory
final class MediaStoreFactory {
  /** Is created at the start, so that a wrong setting fails it. */
  @Context
  @Requires(property = "feed.media.folder")
  MediaStore folder(MediaConfiguration configuration, DynamoDbConfiguration table) {
    if (!table.local()) {
      throw new ConfigurationException(
          "feed.media.folder needs feed.dynamodb.local: the multiplexer of a deployed stage has no"
              + " folder, so the bytes of deleted files would stay");
    }
    return new MediaFolder(Objects.requireNonNull(configuration.folder()));
  }
}
