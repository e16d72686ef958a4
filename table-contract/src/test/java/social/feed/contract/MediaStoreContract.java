package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.media.MediaStore;

/** What every store of media does. */
interface MediaStoreContract {
  String ORIGINAL = "original.png";
  String SMALL = "small.png";

  /** The store, which may hold the files of other tests. */
  MediaStore store();

  /** Returns the id of another file. */
  static String newId() {
    return TimeOrderedId.named(Instant.EPOCH, UUID.randomUUID().toString());
  }

  private void write(String id, String name, int... content) throws IOException {
    var bytes = bytes(content);
    assertThat(store().write(id, name, new ByteArrayInputStream(bytes), bytes.length)).isTrue();
  }

  private static byte[] bytes(int... content) {
    var bytes = new byte[content.length];
    IntStream.range(0, content.length).forEach(i -> bytes[i] = (byte) content[i]);
    return bytes;
  }

  private byte[] read(String id, String name) throws IOException {
    try (var content = store().read(id, name).orElseThrow()) {
      return content.readAllBytes();
    }
  }

  private List<String> ids() throws IOException {
    try (var ids = store().mediaIds()) {
      return ids.toList();
    }
  }

  @Test
  default void object_written_isReadAndReplaced() throws IOException {
    var id = newId();
    for (var name : List.of(MediaStore.UPLOAD, ORIGINAL)) {
      write(id, name, 1, 2, 3);
      assertThat(read(id, name)).containsExactly(1, 2, 3);
      write(id, name);
      assertThat(read(id, name)).isEmpty();
      write(id, name, 4);
      assertThat(read(id, name)).containsExactly(4);
    }
  }

  @Test
  default void object_thatIsAbsent_isEmpty() throws IOException {
    var id = newId();
    assertThat(store().read(id, ORIGINAL)).isEmpty();
    write(id, SMALL, 1);
    assertThat(store().read(id, ORIGINAL)).isEmpty();
    assertThat(store().read(id, MediaStore.UPLOAD)).isEmpty();
  }

  @Test
  default void content_beyondTheLimit_isNotWrittenAndNotReadOn() throws IOException {
    var id = newId();
    write(id, ORIGINAL, 1);
    var content = new ByteArrayInputStream(new byte[20_000]);

    assertThat(store().write(id, ORIGINAL, content, 0)).isFalse();
    assertThat(store().write(id, SMALL, new ByteArrayInputStream(new byte[4]), 3)).isFalse();

    assertThat(read(id, ORIGINAL)).containsExactly(1);
    assertThat(store().names(id)).containsExactly(ORIGINAL);
  }

  @Test
  default void content_thatCannotBeRead_isNotWritten() throws IOException {
    var id = newId();
    write(id, ORIGINAL, 1);
    var broken =
        new InputStream() {
          private boolean isRead;

          @Override
          public int read() {
            throw new UnsupportedOperationException();
          }

          @Override
          public int read(byte[] buffer, int offset, int length) throws IOException {
            if (isRead) {
              throw new IOException("planted");
            }
            isRead = true;
            return 1;
          }
        };

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store().write(id, ORIGINAL, broken, 9))
        .withMessage("planted");

    assertThat(read(id, ORIGINAL)).containsExactly(1);
    assertThat(store().names(id)).containsExactly(ORIGINAL);
  }

  @Test
  default void object_removed_isGoneAlone() throws IOException {
    var id = newId();
    write(id, MediaStore.UPLOAD, 1);
    write(id, ORIGINAL, 2);

    store().remove(id, MediaStore.UPLOAD);
    store().remove(id, MediaStore.UPLOAD);
    store().remove(id, SMALL);

    assertThat(store().names(id)).containsExactly(ORIGINAL);
    store().remove(id, ORIGINAL);
    assertThat(store().names(id)).isEmpty();
  }

  /** An id that another one begins with is another file. */
  @Test
  default void fileRemoved_losesAllObjects_andNoOtherFile() throws IOException {
    var id = newId();
    var longer = id + "A";
    for (var file : List.of(id, longer)) {
      write(file, MediaStore.UPLOAD, 1);
      write(file, ORIGINAL, 2);
      write(file, SMALL, 3);
    }

    store().removeAll(id);
    store().removeAll(id);
    store().removeAll(newId());

    assertThat(store().names(id)).isEmpty();
    assertThat(store().read(id, MediaStore.UPLOAD)).isEmpty();
    assertThat(ids()).doesNotContain(id);
    assertThat(store().names(longer)).containsExactlyInAnyOrder(MediaStore.UPLOAD, ORIGINAL, SMALL);
  }

  @Test
  default void fileIds_areThoseWithAnObject() throws IOException {
    var pending = newId();
    var complete = newId();
    write(pending, MediaStore.UPLOAD, 1);
    write(complete, ORIGINAL, 1);
    write(complete, SMALL, 1);
    write("other", ORIGINAL, 1);

    assertThat(ids())
        .containsOnlyOnce(pending, complete)
        .doesNotContain("other", newId())
        .allMatch(TimeOrderedId::isValid);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", "../x", "a/b", "/", ".", "x.p/g", "a b", "%2e%2e"})
  default void name_thatCouldLeadElsewhere_isRefused(String name) {
    var id = newId();
    assertThatIllegalArgumentException().isThrownBy(() -> write(id, name, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> store().read(id, name));
    assertThatIllegalArgumentException().isThrownBy(() -> store().read(name, ORIGINAL));
    assertThatIllegalArgumentException().isThrownBy(() -> store().removeAll(name));
    assertThatIllegalArgumentException().isThrownBy(() -> store().names(name));
  }
}
