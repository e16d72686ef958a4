package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaStore;

/** The comparison with a folder, which may hold other files. */
class ITMediaObjects extends MediaObjectsContract {
  private Path folder = Path.of("");

  @Override
  MediaStore open(Path directory) {
    folder = directory.resolve("media");
    return new MediaFolder(folder);
  }

  @Test
  void filesOfOthers_areNeitherReportedNorRemoved() throws IOException {
    Path own = folder.resolve(id("stray"));
    write(id("stray"), List.of("upload", "small.png"));
    List<Path> others =
        List.of(
            folder.resolve("photos/small.png"),
            folder.resolve("photos/upload"),
            folder.resolve(id("photo")),
            own.resolve("small-copy.png"),
            own.resolve("notes/upload"));
    for (Path other : others) {
      Files.createDirectories(other.getParent());
      Files.writeString(other, "precious");
    }

    assertThat(compare(false).drifts()).isEqualTo(1);
    assertThat(compare(true).render())
        .contains("the store has objects of " + id("stray"))
        .doesNotContain("photo");

    assertThat(others).allSatisfy(other -> assertThat(other).hasContent("precious"));
    assertThat(own.resolve("upload")).doesNotExist();
    assertThat(own.resolve("small.png")).doesNotExist();
  }
}
