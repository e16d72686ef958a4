package social.feed.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A folder for the files of a platform without a data folder. It is deleted when the platform
 * stops, and a killed process leaves it.
 *
 * @param folder where the files are
 */
record TemporaryMedia(Path folder) implements AutoCloseable {
  private static final int ATTEMPTS = 5;

  static TemporaryMedia create() {
    try {
      return new TemporaryMedia(Files.createTempDirectory("feed-media-"));
    } catch (IOException e) {
      throw new UncheckedIOException("No folder for files can be created", e);
    }
  }

  /** Deletes the folder. A request that was under way may still write a file. */
  @Override
  public void close() throws IOException {
    for (int attempt = 1; !isDeleted(); attempt++) {
      if (attempt == ATTEMPTS) {
        throw new IOException("Files are still written to " + folder);
      }
    }
  }

  private boolean isDeleted() throws IOException {
    if (!Files.exists(folder)) {
      return true;
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
      return true;
    } catch (DirectoryNotEmptyException | NoSuchFileException | UncheckedIOException _) {
      return false;
    }
  }
}
