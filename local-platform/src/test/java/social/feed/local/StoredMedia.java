package social.feed.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The bytes of files in the data folder of a platform. */
final class StoredMedia {
  private StoredMedia() {}

  /** Returns the objects and their folders: four for a file with its three sizes. */
  static List<Path> in(Path data) throws IOException {
    var folder = data.resolve("media");
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (var files = Files.walk(folder)) {
      return files.filter(file -> !file.equals(folder)).toList();
    }
  }
}
