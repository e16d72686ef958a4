package social.feed.ctl;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import social.feed.ctl.demo.DemoWorld;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;

/**
 * Starts a platform on free ports, sends it a few requests and stops it in order. The launcher runs
 * this once after a build, while the JVM records for its cache what a start requires.
 */
@Command(name = "rehearse", hidden = true)
final class RehearseCommand implements Callable<Integer> {
  /** When this process ends in any case: many times what a busy machine needs. */
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  private static final int GAVE_UP = 2;

  @Option(names = "--data", description = "a folder that may be deleted afterwards")
  private @Nullable Path data;

  @Override
  public Integer call() {
    endAtDeadline();
    var settings = data == null ? PlatformSettings.inMemory() : PlatformSettings.in(data);
    try (var platform = LocalPlatform.start(settings)) {
      var table =
          new Table(platform.engine().directClient(), PlatformSettings.TABLE, Retry.standard());
      // First, as it fills an empty platform only.
      new DemoWorld(table, Instant.now()).create();
      new Rehearsal(platform.api()).run();
      platform.drain(DEADLINE);
    }
    return 0;
  }

  /** Ends this process at the deadline, or together with the launcher that started it. */
  private static void endAtDeadline() {
    var launcherGone =
        ProcessHandle.current()
            .parent()
            .map(ProcessHandle::onExit)
            .orElseGet(CompletableFuture::new);
    var _ =
        launcherGone
            .orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS)
            .whenComplete(
                (_, late) -> {
                  if (late != null) {
                    System.err.printf("Gave up after %d minutes%n", DEADLINE.toMinutes());
                  }
                  Runtime.getRuntime().halt(GAVE_UP);
                });
  }
}
