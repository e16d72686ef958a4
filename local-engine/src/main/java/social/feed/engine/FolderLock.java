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
 * Makes a data folder belong to one server. SQLite lets a second process in and only then gets in
 * its way, so the engines are kept apart here. The operating system drops the lock with the
 * process, whatever ended it.
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
      // The caller gets the original exception; the channel holds nothing.
    }
  }

  @Override
  public void close() {
    closeQuietly(channel);
  }
}
