package social.feed.ctl;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaStore;

/** The option that selects the store of media. */
final class MediaOptions {
  @Option(
      names = "--media",
      paramLabel = "DIR",
      description =
          "the folder with the bytes of files; without it they are neither compared nor removed")
  private @Nullable Path media;

  Optional<MediaStore> store() {
    return Optional.ofNullable(media).map(MediaFolder::new);
  }
}
