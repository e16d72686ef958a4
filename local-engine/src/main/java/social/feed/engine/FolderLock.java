package social.feed.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Reserves a data folder for one server. SQLite lets a second process open the database, and the
 * two then block each other; this lock prevents that. The operating system releases the lock when
 * the process ends, however it ends.
 */
final class FolderLock implements AutoCloseable {

  private static final String FILE = "in-use.lock";

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  static FolderLock take(Path folder) {
    return lock(folder, open(folder));
  }

  private static FileChannel open(Path folder) {
    try {
      Files.createDirectories(folder);
      return FileChannel.open(
          folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new DataFolderException(
          folder,
          "cannot be written to",
          "Name a folder (not a file) that this user may write to.",
          e);
    }
  }

  private static FolderLock lock(Path folder, FileChannel channel) {
    if (locked(folder, channel) == null) {
      closeQuietly(channel);
      throw new DataFolderException(
          folder,
          "is in use by another server",
          "Stop the other run that holds it, or name another folder.",
          null);
    }
    return new FolderLock(channel);
  }

  private static @Nullable FileLock locked(Path folder, FileChannel channel) {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException heldByThisJvm) {
      return null;
    } catch (IOException e) {
      closeQuietly(channel);
      throw new DataFolderException(
          folder, "cannot be locked", "Name a folder on a local file system.", e);
    }
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException ignored) {
      // The caller gets the original exception, and no data are lost.
    }
  }

  @Override
  public void close() {
    closeQuietly(channel);
  }
}
