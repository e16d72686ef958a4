package social.feed.engine;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a data folder cannot be used: another server has locked it, or it is not writable or
 * damaged.
 */
public final class DataFolderException extends RuntimeException {

  /**
   * @param problem what is wrong with the folder, as a predicate
   * @param remedy what to do, as a sentence
   */
  public DataFolderException(
      Path folder, String problem, String remedy, @Nullable Throwable cause) {
    super("The data folder %s %s. %s".formatted(folder, problem, remedy), cause);
  }
}
