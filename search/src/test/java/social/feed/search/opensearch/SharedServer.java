package social.feed.search.opensearch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import social.feed.testkit.OpenSearchServer;

/**
 * The server of all tests of this process, since each start takes ten seconds. It ends with the
 * process. Each index has a name of its own.
 */
final class SharedServer {
  private static final OpenSearchServer SERVER = OpenSearchServer.start(folder());
  private static final AtomicInteger NAMES = new AtomicInteger();

  private SharedServer() {}

  private static Path folder() {
    try {
      return Files.createTempDirectory(Path.of("target").toAbsolutePath(), "opensearch");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static URI url() {
    return SERVER.url();
  }

  /** Returns a name that no other index has. */
  static String newName() {
    return "test" + NAMES.incrementAndGet();
  }
}
