package social.feed.engine;

import java.nio.file.Path;

/** Where a server keeps its data. */
public sealed interface Storage {

  /** Gone when the server is closed. */
  record InMemory() implements Storage {}

  /**
   * Survives close and a hard kill of the process.
   *
   * @param path made if absent; belongs to one server of one process at a time
   */
  record Folder(Path path) implements Storage {}

  static Storage inMemory() {
    return new InMemory();
  }

  static Storage folder(Path path) {
    return new Folder(path);
  }
}
