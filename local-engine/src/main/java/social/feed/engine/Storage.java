package social.feed.engine;

import java.nio.file.Path;

/** The place where a server keeps its data. */
public sealed interface Storage {

  /** Memory: the data are lost when the server is closed. */
  record InMemory() implements Storage {}

  /**
   * A folder: the data survive close and a hard kill of the process.
   *
   * @param path created if absent; one server of one process uses it at a time
   */
  record Folder(Path path) implements Storage {}

  static Storage inMemory() {
    return new InMemory();
  }

  static Storage folder(Path path) {
    return new Folder(path);
  }
}
