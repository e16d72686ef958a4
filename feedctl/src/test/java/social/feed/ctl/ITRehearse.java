package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.testkit.LongRunning;

/** The recorded start of the launcher. Where it fails, each start takes seconds longer. */
@LongRunning
class ITRehearse {
  @Test
  void rehearsal_endsInOrder(@TempDir(factory = MemoryFolder.class) Path folder) throws Exception {
    var log = folder.resolve("log");
    var process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName(),
                    "rehearse",
                    "--data",
                    folder.resolve("data").toString()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();

    assertThat(process.waitFor()).as(Files.readString(log)).isZero();
  }
}
