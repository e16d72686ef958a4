package social.feed.engine;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Takes the lock of a folder and keeps it until it is killed. Runs in a separate JVM. */
final class LockHolderProcess {

  private LockHolderProcess() {}

  public static void main(String[] args) throws InterruptedException {
    try (FolderLock lock = FolderLock.take(Path.of(args[0]))) {
      System.out.println(lock == null ? "none" : "locked");
      new CountDownLatch(1).await();
    }
  }
}
