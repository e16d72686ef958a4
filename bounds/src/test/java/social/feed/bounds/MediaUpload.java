package social.feed.bounds;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import social.feed.table.media.MediaStore;

/** The image that the operations of media upload: a PNG of one pixel. */
final class MediaUpload {
  private static final byte[] CONTENT =
      Base64.getDecoder()
          .decode(
              "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC");

  static final int BYTES = CONTENT.length;

  static final String SHA256 = "b1ff9c8ea3a780bad09b346c423d2d0e46815926879b18e841d928376a946640";

  private MediaUpload() {}

  /** Stores the upload of a file, as its signed address does. */
  static void store(MeasuredWorld world, String mediaId) {
    try {
      world.media().write(mediaId, MediaStore.UPLOAD, new ByteArrayInputStream(CONTENT), BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
