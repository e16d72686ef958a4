package social.feed.api.media;

import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Objects;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaStore;

/** Registers the configured store of bytes. Without one the routes of media do not exist. */
@Factory
final class MediaStoreFactory {
  @Singleton
  @Requires(property = "feed.media.folder")
  MediaStore folder(MediaConfiguration configuration) {
    return new MediaFolder(Objects.requireNonNull(configuration.folder()));
  }
}
