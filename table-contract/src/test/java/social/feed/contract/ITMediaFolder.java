package social.feed.contract;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaStore;

/** The contract of stores, on a folder. */
class ITMediaFolder implements MediaStoreContract {
  @TempDir private static Path folder;

  @Override
  public MediaStore store() {
    return new MediaFolder(folder);
  }
}
