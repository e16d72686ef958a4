package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;
import social.feed.verify.MediaObjects;
import social.feed.verify.Report;

/** Plants each difference between the rows of files and their store. */
abstract class MediaObjectsContract {
  static final List<String> SIZES = List.of("original.png", "medium.png", "small.png");

  final VerifyWorld world = new VerifyWorld();
  MediaStore store;
  private MediaFiles files;

  /** Returns the store, which has no file. */
  abstract MediaStore open(Path directory);

  @BeforeEach
  void load(@TempDir Path directory) throws IOException {
    world.load(directory, "1 2\n", 0, 100);
    store = open(directory);
    files = new MediaFiles(world.table());
    file(id("whole"), null, SIZES);
    file(id("pending"), 4_000_000_000L, List.of("upload"));
    file(id("announced"), 4_000_000_000L, List.of());
  }

  @AfterEach
  void stop() {
    world.close();
  }

  static String id(String name) {
    return TimeOrderedId.named(Instant.EPOCH, name);
  }

  private Media file(String id, @Nullable Long expiresAt, List<String> objects) throws IOException {
    var media = row(id, expiresAt);
    write(id, objects);
    return media;
  }

  private Media row(String id, @Nullable Long expiresAt) {
    var media = new Media(id, "1", "image/png", 9, "f00d", null, Fault.now(), 3, 2, expiresAt);
    assertThat(files.reserve(media, new MediaQuota(99, 999))).isEqualTo(MediaOutcome.RESERVED);
    return media;
  }

  final void write(String id, List<String> objects) throws IOException {
    for (var object : objects) {
      store.write(id, object, new ByteArrayInputStream(new byte[1]), 1);
    }
  }

  final Report compare(boolean isRepaired) {
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
    file(id("lost"), null, List.of());
    file(id("half"), null, SIZES.subList(0, 2));

    assertThat(compare(false).render())
        .contains(
            "MEDIA#" + id("lost") + " / META lacks objects",
            "MEDIA#" + id("half") + " / META lacks objects")
        .doesNotContain(id("whole"));
    assertThat(compare(true).drifts()).isEqualTo(2);
    assertThat(store.names(id("half"))).hasSize(2);
  }

  @Test
  void objectsWithoutARow_areReportedAndRemoved() throws IOException {
    write(id("stray"), SIZES);

    assertThat(compare(false).render())
        .contains("the store has objects of " + id("stray") + ", which has no row");
    assertThat(store.mediaIds()).contains(id("stray"));
    var fixed = compare(true);

    assertThat(fixed.isClean()).as(fixed.render()).isTrue();
    assertThat(store.mediaIds()).containsExactlyInAnyOrder(id("whole"), id("pending"));
    assertThat(store.names(id("whole"))).hasSize(3);
  }

  /** The first read of the rows is eventually consistent, and may miss that of a new file. */
  @Test
  void objectsWhoseRowIsSeenLate_areLeft() throws IOException {
    write(id("new"), SIZES);

    var report = new MediaObjects(world.table(), store).compare(() -> row(id("new"), null), true);

    assertThat(report.isClean()).as(report.render()).isTrue();
    assertThat(store.names(id("new"))).hasSize(3);
  }

  /** The store of another platform has objects that no row here names. */
  @Test
  void storeOfATableWithoutFiles_isLeft() throws IOException {
    deleteRows();

    assertForeign(compare(true));
  }

  /** Both platforms have files, of which none is in both. */
  @Test
  void storeOfATableWithOtherFiles_isLeft() throws IOException {
    deleteRows();
    row(id("elsewhere"), 4_000_000_000L);

    assertForeign(compare(true));
  }

  private void deleteRows() {
    for (var name : List.of("whole", "pending", "announced")) {
      files.delete(id(name), "1");
    }
  }

  private void assertForeign(Report report) throws IOException {
    assertThat(report.render()).contains("not removed, since the table has no file of this store");
    assertThat(report.drifts()).isEqualTo(2);
    assertThat(store.names(id("whole"))).hasSize(3);
  }

  /** The stream of the world removes objects in another folder, so these stay. */
  @Test
  void objectsOfADeletedFile_areFound() throws IOException {
    var gone = file(id("gone"), null, SIZES);
    files.delete(gone.mediaId(), "1");

    assertThat(new MediaObjects(world.table(), store).stray(world::drain))
        .containsExactly(id("gone"));
    assertThat(compare(false).drifts()).isEqualTo(1);
  }
}
