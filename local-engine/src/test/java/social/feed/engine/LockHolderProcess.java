package social.feed.engine;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Run in a JVM of its own: takes a folder's lock and keeps it until killed. */
final class LockHolderProcess {

  private LockHolderProcess() {}

  public static void main(String[] args) throws InterruptedException {
    try (FolderLock lock = FolderLock.take(Path.of(args[0]))) {
      System.out.println(lock == null ? "none" : "locked");
      new CountDownLatch(1).await();
    }
  }
}
