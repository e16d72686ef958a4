package social.feed.local;

import java.nio.file.Path;
import java.util.Optional;

/** Runs a platform in a separate JVM: prints the address of its API and runs until it is killed. */
final class PlatformProcess {
  private PlatformProcess() {}

  /** Runs on the folder that the only argument names. */
  public static void main(String[] arguments) throws InterruptedException {
    var data = Optional.of(Path.of(arguments[0]));
    var platform =
        LocalPlatform.start(
            new PlatformSettings(data, 0, 0, 0, PlatformSettings.CELEBRITY_THRESHOLD));
    System.out.println(platform.api());
    Thread.currentThread().join();
  }
}
