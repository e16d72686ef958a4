package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaStore;

/** The contract of stores, on a folder. */
class ITMediaFolder implements MediaStoreContract {
  @TempDir private static Path folder;

  @Override
  public MediaStore store() {
    return new MediaFolder(folder);
  }

  /** A process that ends while it writes leaves its draft. */
  @Test
  void draftThatWasLeft_isRemovedWithTheObjects() throws IOException {
    var id = TimeOrderedId.first(Instant.EPOCH);
    var objects = Files.createDirectories(folder.resolve(id));
    Files.writeString(objects.resolve("draft123.tmp"), "half of it");

    store().removeAll(id);

    assertThat(objects).doesNotExist();
  }
}
