package social.feed.engine;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A data folder cannot be used: it is locked by another server, not writable or damaged. */
public final class DataFolderException extends RuntimeException {

  private final Path folder;

  DataFolderException(Path folder, String problem, String remedy, @Nullable Throwable cause) {
    super("The data folder %s %s. %s".formatted(folder, problem, remedy), cause);
    this.folder = folder;
  }

  public Path folder() {
    return folder;
  }
}
