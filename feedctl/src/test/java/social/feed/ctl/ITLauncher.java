package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.testkit.LongRunning;

/** The launcher in a checkout of another user. */
@LongRunning
class ITLauncher {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Root may write everywhere, so root runs the launcher as a user without rights. */
  private static final List<String> WITHOUT_RIGHTS =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--");

  @TempDir private Path checkout;

  @BeforeEach
  void copy() throws IOException {
    Files.copy(Path.of("..", "feed"), checkout.resolve("feed"), StandardCopyOption.COPY_ATTRIBUTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"feedctl", "feedctl/target"})
  void folderThatCannotBeWritten_isNamed(String existing) throws Exception {
    var folder = Files.createDirectories(checkout.resolve(existing));
    permit("r-xr-xr-x", folder);
    try {
      var command = new ArrayList<String>();
      if (Files.isWritable(folder)) {
        command.addAll(WITHOUT_RIGHTS);
      }
      command.addAll(List.of("bash", checkout.resolve("feed").toString(), "up"));
      var log = Files.createTempFile("launcher", ".log");
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      var process = builder.redirectOutput(log.toFile()).start();
      boolean hasEnded = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      var _ = process.destroyForcibly();

      assertThat(Files.readString(log))
          .contains(checkout.resolve("feedctl/target") + " cannot be written by this user");
      assertThat(hasEnded).isTrue();
      assertThat(process.exitValue()).isEqualTo(2);
      Files.delete(log);
    } finally {
      permit("rwxr-xr-x", folder);
    }
  }

  private void permit(String permissions, Path folder) throws IOException {
    for (var path : List.of(checkout, checkout.resolve("feedctl"), folder)) {
      var _ = Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
  }
}
