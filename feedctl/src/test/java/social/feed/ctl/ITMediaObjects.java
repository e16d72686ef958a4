package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.ctl.verify.MediaObjects;
import social.feed.ctl.verify.Report;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.row.Media;

/** Plants each difference between the rows of files and their store. */
class ITMediaObjects {
  private static final List<String> SIZES = List.of("original.png", "medium.png", "small.png");

  private final VerifyWorld world = new VerifyWorld();
  private MediaFolder store;
  private MediaFiles files;

  @BeforeEach
  void load(@TempDir Path folder) throws IOException {
    world.load(folder, "1 2\n", 0, 100);
    store = new MediaFolder(folder.resolve("media"));
    files = new MediaFiles(world.table());
    file("whole", null, SIZES);
    file("pending", 4_000_000_000L, List.of("upload"));
    file("announced", 4_000_000_000L, List.of());
  }

  @AfterEach
  void stop() {
    world.close();
  }

  private Media file(String id, @Nullable Long expiresAt, List<String> objects) throws IOException {
    var media = new Media(id, "1", "image/png", 9, "f00d", null, Fault.now(), 3, 2, expiresAt);
    assertThat(files.reserve(media, new MediaQuota(99, 999))).isEqualTo(MediaOutcome.RESERVED);
    write(id, objects);
    return media;
  }

  private void write(String id, List<String> objects) throws IOException {
    for (var object : objects) {
      store.write(id, object, new ByteArrayInputStream(new byte[1]), 1);
    }
  }

  private Report compare(boolean isRepaired) {
    return new MediaObjects(world.table(), store).compare(world::drain, isRepaired);
  }

  @Test
  void filesWithTheirObjects_areNoDrift() {
    var report = compare(false);

    assertThat(report.isClean()).as(report.render()).isTrue();
    assertThat(report.lines()).extracting(Report.Line::compared).containsExactly(3L, 2L);
  }

  @Test
  void fileWithoutItsObjects_isReportedAndLeft() throws IOException {
    file("lost", null, List.of());
    file("half", null, SIZES.subList(0, 2));

    assertThat(compare(false).render())
        .contains("MEDIA#lost / META lacks objects", "MEDIA#half / META lacks objects")
        .doesNotContain("whole");
    assertThat(compare(true).drifts()).isEqualTo(2);
    assertThat(store.names("half")).hasSize(2);
  }

  @Test
  void objectsWithoutARow_areReportedAndRemoved() throws IOException {
    write("stray", SIZES);

    assertThat(compare(false).render())
        .contains("the store has objects of stray, which has no row");
    assertThat(store.mediaIds()).contains("stray");
    var fixed = compare(true);

    assertThat(fixed.isClean()).as(fixed.render()).isTrue();
    assertThat(store.mediaIds()).isEqualTo(Set.of("whole", "pending"));
    assertThat(store.names("whole")).hasSize(3);
  }

  /** The stream of the world removes objects in another folder, so these stay. */
  @Test
  void objectsOfADeletedFile_areFound() throws IOException {
    var gone = file("gone", null, SIZES);
    files.delete(gone.mediaId(), "1");

    assertThat(new MediaObjects(world.table(), store).stray()).containsExactly("gone");
    assertThat(compare(false).drifts()).isEqualTo(1);
  }
}
