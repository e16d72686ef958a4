package social.feed.table.media;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;

/**
 * The bytes of files: a few named objects for each {@link social.feed.table.row.Media}. The rows
 * decide which files exist; an object without a row is garbage. Thread-safe.
 */
public interface MediaStore {
  /** The object with the bytes that were sent, until they are checked. */
  String UPLOAD = "upload";

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
        public Set<String> mediaIds() {
          return Set.of();
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

  /** Returns the ids of all files that have an object. */
  Set<String> mediaIds() throws IOException;

  /** Returns the names of the objects of a file, empty where there is none. */
  Set<String> names(String mediaId) throws IOException;
}
