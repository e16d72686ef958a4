package social.feed.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaFolder;
import social.feed.table.media.MediaOutcome;
import social.feed.table.media.MediaQuota;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Media;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;

/** More differences between files and their objects than one run compares. */
class ITMediaObjectsInParts {
  private static final int MOST = 3;
  private static final String REST = "3 differ, and the rest was not compared";

  private final TestTable table = TestTable.start();
  private final Person owner = new SeedWorld(table.table(), table.clock()).user("owner");
  private final MediaStore store;
  private final MediaObjects objects;

  ITMediaObjectsInParts(@TempDir Path folder) {
    this.store = new MediaFolder(folder);
    this.objects = new MediaObjects(table.table(), store, MOST);
  }

  @AfterEach
  void stop() {
    table.close();
  }

  @Test
  void objectsWithoutARow_areAProblemUntilTheLastIsRemoved() throws IOException {
    reserve("known", false);
    upload("known");
    for (int i = 0; i < 2 * MOST + 1; i++) {
      upload("stray" + i);
    }

    var found = objects.compare(() -> {}, false);

    assertThat(found.drifts()).isEqualTo(MOST + 1);
    assertThat(found.render()).contains(REST);
    for (int run = 0; run < 2; run++) {
      var fixed = objects.compare(() -> {}, true);
      assertThat(fixed.drifts()).as(fixed.render()).isEqualTo(1);
      assertThat(fixed.render()).contains(REST);
    }
    assertThat(objects.compare(() -> {}, true).isClean()).isTrue();
    assertThat(store.mediaIds()).containsExactly(id("known"));
  }

  @Test
  void filesWithoutObjects_areAProblemBeyondThoseThatAreCompared() {
    for (int i = 0; i < MOST; i++) {
      reserve("lost" + i, true);
    }
    assertThat(objects.compare(() -> {}, false).drifts()).isEqualTo(MOST);

    reserve("last", true);

    var report = objects.compare(() -> {}, false);
    assertThat(report.drifts()).isEqualTo(MOST + 1);
    assertThat(report.render()).contains(REST);
  }

  @Test
  void storeThatDoesNotAnswerNowAndThen_isAskedAgain() throws IOException {
    reserve("known", false);
    upload("known");
    upload("stray");
    reserve("lost", true);

    var report =
        new MediaObjects(table.table(), new BusyStore(store), MOST).compare(() -> {}, false);

    assertThat(report.drifts()).as(report.render()).isEqualTo(2);
  }

  /** Refuses each second question, and cuts its first list off. */
  private static final class BusyStore implements MediaStore {
    private final MediaStore store;
    private int questions;
    private int lists;

    BusyStore(MediaStore store) {
      this.store = store;
    }

    private static UnavailableException busy() {
      return new UnavailableException("It has too much to do", new IOException("503"));
    }

    @Override
    public boolean write(String mediaId, String name, InputStream content, long limit)
        throws IOException {
      throw busy();
    }

    @Override
    public Optional<InputStream> read(String mediaId, String name) throws IOException {
      throw busy();
    }

    @Override
    public void remove(String mediaId, String name) throws IOException {
      throw busy();
    }

    @Override
    public void removeAll(String mediaId) throws IOException {
      throw busy();
    }

    @Override
    public Stream<String> mediaIds() throws IOException {
      var ids = store.mediaIds();
      return lists++ > 0
          ? ids
          : Stream.concat(
              ids,
              Stream.of("the end")
                  .<String>map(
                      _ -> {
                        throw new UncheckedIOException(busy());
                      }));
    }

    @Override
    public Set<String> names(String mediaId) throws IOException {
      if (questions++ % 2 == 0) {
        throw busy();
      }
      return store.names(mediaId);
    }
  }

  private static String id(String name) {
    return TimeOrderedId.named(Instant.EPOCH, name);
  }

  private void upload(String name) throws IOException {
    store.write(id(name), MediaStore.UPLOAD, new ByteArrayInputStream(new byte[1]), 1);
  }

  private void reserve(String name, boolean isComplete) {
    var media =
        new Media(
            id(name),
            owner.id(),
            "image/png",
            9,
            "f00d",
            null,
            table.clock().instant(),
            isComplete ? 3 : null,
            isComplete ? 2 : null,
            isComplete ? null : 4_000_000_000L);
    assertThat(new MediaFiles(table.table()).reserve(media, new MediaQuota(99, 999)))
        .isEqualTo(MediaOutcome.RESERVED);
  }
}
