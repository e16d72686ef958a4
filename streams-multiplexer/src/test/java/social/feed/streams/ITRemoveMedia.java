package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaStore;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.User;

/** Removals from a folder. */
class ITRemoveMedia extends RemoveMediaContract {
  @Override
  MediaStore store() {
    return new MediaFolder(Path.of("target/media"));
  }

  /** A disk may fail for longer than the stream keeps its records. */
  @Test
  void storeThatKeepsFailing_holdsUpNothingAndIsAskedLater() throws IOException {
    var stuck = file(1, null);
    var gone = file(2, null);
    var folder = Path.of("target/media", stuck.mediaId());
    // A folder with content cannot be removed as an object.
    Files.createDirectories(folder.resolve("stuck/inner"));
    files.delete(stuck.mediaId(), ann.id());
    files.delete(gone.mediaId(), ann.id());
    harness.drain();

    assertThat(store().mediaIds()).contains(stuck.mediaId()).doesNotContain(gone.mediaId());
    assertThat(number(User.MEDIA_COUNT)).isZero();
    assertThat(harness.deadLetters).isEmpty();
    Files.delete(folder.resolve("stuck/inner"));
    Files.delete(folder.resolve("stuck"));
    harness.expireRemovals();

    assertThat(store().mediaIds()).doesNotContain(stuck.mediaId());
    assertThat(harness.rows()).noneMatch(MediaRemoval.class::isInstance);
  }
}
