package social.feed.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A folder for the files of a platform without a data folder. It is deleted with the process. */
final class TemporaryMedia {
  private TemporaryMedia() {}

  static Path create() {
    try {
      var folder = Files.createTempDirectory("feed-media-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder), "delete media"));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("No folder for files can be created", e);
    }
  }

  private static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The temporary folder cannot be deleted: " + folder, e);
    }
  }
}
