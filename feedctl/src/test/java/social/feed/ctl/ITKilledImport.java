package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Keys;
import social.feed.testkit.LongRunning;

/** Kills an import and runs it again: no row is missing or duplicated. */
@LongRunning
class ITKilledImport {
  private static final int ACCOUNTS = 40;
  private static final int EDGES = ACCOUNTS * (ACCOUNTS - 1);
  private static final long CAP = 5_000;

  /** The exit code of a process after SIGKILL. */
  private static final int KILLED = 137;

  private final VerifyWorld world = new VerifyWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void secondRun_completesTheFirst(@TempDir Path folder) throws Exception {
    var process = start(Files.writeString(folder.resolve("killed.txt"), graph()));
    // The thread of the write kills the import, which is over soon after it.
    world
        .platform()
        .engine()
        .onWrite(
            () -> {
              if (process.isAlive() && edgesOfTheFirst() > 0) {
                process.destroyForcibly();
              }
            });
    assertThat(process.waitFor()).isEqualTo(KILLED);

    var second = world.load(folder, graph(), 1, CAP);

    assertThat(second.edges()).as("the first run wrote some").isBetween(1L, EDGES - 1L);
    assertThat(second.refused()).isEmpty();
    assertThat(second.accounts()).as("accounts come first").isZero();
    assertThat(edgesOfTheFirst()).isEqualTo(ACCOUNTS - 1L);
    var verified = world.verify();
    assertThat(verified.isClean()).as(verified.render()).isTrue();
    var third = world.load(folder, graph(), 1, CAP);
    assertThat(third.accounts() + third.edges() + third.posts()).isZero();
  }

  private long edgesOfTheFirst() {
    return new TableScanner(world.table()).count(Index.FOLLOWING, Keys.follower("0"));
  }

  private static String graph() {
    return IntStream.range(0, ACCOUNTS)
        .boxed()
        .flatMap(
            follower ->
                IntStream.range(0, ACCOUNTS)
                    .filter(followee -> followee != follower)
                    .mapToObj(followee -> follower + " " + followee))
        .collect(Collectors.joining("\n"));
  }

  private Process start(Path edges) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "import",
                "--edges",
                edges.toString(),
                "--posts-per-user",
                "1",
                "--endpoint",
                world.platform().dynamodb().toString(),
                "--url",
                world.platform().api().toString()))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
