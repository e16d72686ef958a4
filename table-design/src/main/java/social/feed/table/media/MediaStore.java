package social.feed.table.media;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The bytes of files: a few named objects for each {@link social.feed.table.row.Media}. The rows
 * decide which files exist; an object without a row is garbage. Thread-safe.
 */
public interface MediaStore {
  /** The object with the bytes that were sent, until they are checked. */
  String UPLOAD = "upload";

  /** The store does not answer, or has too much to do. The same call may succeed later. */
  final class UnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    public UnavailableException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Stands for a store that is not configured. It contains nothing, and fails where something is to
   * change, so that no removal is lost.
   */
  MediaStore NONE =
      new MediaStore() {
        @Override
        public boolean write(String mediaId, String name, InputStream content, long limit) {
          throw absent();
        }

        private IllegalStateException absent() {
          return new IllegalStateException("No store of media is configured");
        }

        @Override
        public Optional<InputStream> read(String mediaId, String name) {
          return Optional.empty();
        }

        @Override
        public void remove(String mediaId, String name) {
          throw absent();
        }

        @Override
        public void removeAll(String mediaId) {
          throw absent();
        }

        @Override
        public Stream<String> mediaIds() {
          return Stream.empty();
        }

        @Override
        public Set<String> names(String mediaId) {
          return Set.of();
        }
      };

  /**
   * Writes an object, which replaces one of the same name at once. Reads no more than the limit and
   * one byte.
   *
   * @return false when the content has more bytes than the limit; nothing is written then
   * @throws IOException when the content cannot be read or written; nothing is written then
   */
  boolean write(String mediaId, String name, InputStream content, long limit) throws IOException;

  /** Returns the content of an object, empty where there is none. The caller closes it. */
  Optional<InputStream> read(String mediaId, String name) throws IOException;

  /** Removes an object; there may be none. */
  void remove(String mediaId, String name) throws IOException;

  /** Removes all objects of a file; there may be none. */
  void removeAll(String mediaId) throws IOException;

  /**
   * Returns the ids of all files that have an object, as the store lists them: only a part is in
   * memory. A file with an upload and other objects may come twice. The caller closes the stream,
   * which throws {@link java.io.UncheckedIOException} when the store fails.
   */
  Stream<String> mediaIds() throws IOException;

  /** Returns the names of the objects of a file, empty where there is none. */
  Set<String> names(String mediaId) throws IOException;
}
