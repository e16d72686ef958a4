package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.testkit.LongRunning;
import social.feed.testkit.ServerPort;

/**
 * The commands from a picture to nothing, as they stand in {@code docs/first-requests.md}, in a
 * shell against a started platform. Its {@code ./feed} is this build.
 */
@LongRunning
class ITPictureCommands {
  private static final Path PAGE = Path.of("..", "docs", "first-requests.md");
  private static final Pattern BLOCK =
      Pattern.compile("\n# From a picture to nothing\n.*?```bash\n(.*?)```\n", Pattern.DOTALL);
  private static final int PATIENCE_SECONDS = 240;

  @TempDir private Path folder;

  /** The folder of an attempt. */
  private Path home = Path.of("");

  private static String block() throws IOException {
    var blocks = BLOCK.matcher(Files.readString(PAGE)).results().toList();
    assertThat(blocks).hasSize(1);
    return blocks.getFirst().group(1);
  }

  /** Writes a {@code ./feed} that runs the commands of this build on the started platform. */
  private void writeFeed(LocalPlatform platform) throws IOException {
    writeScript(
        home.resolve("feed"),
        """
        #!/usr/bin/env bash
        case $1 in listen) ;; *) set -- "$@" --endpoint %s --url %s ;; esac
        exec "%s" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "%s" %s "$@"
        """
            .formatted(
                platform.dynamodb(),
                platform.api(),
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                Main.class.getName()));
  }

  /**
   * Writes a {@code sleep} for a busy machine, which also waits until {@code ./feed listen} listens
   * and the queue of the sinks is empty. It ends without that after half a minute, since another
   * process may have the port.
   *
   * @return its folder
   */
  private Path writeSleep(LocalPlatform platform) throws IOException {
    var sinks =
        platform
            .deadLetters()
            .toString()
            .replace(PlatformSettings.DEAD_LETTERS, PlatformSettings.SINKS);
    var folder = Files.createDirectory(home.resolve("bin"));
    writeScript(
        folder.resolve("sleep"),
        """
        #!/usr/bin/env bash
        command -p sleep "$@"
        listens() { (: <"/dev/tcp/127.0.0.1/$HOOK_PORT") 2>/dev/null; }
        # Messages that wait, that are handled, and that have a delay.
        queue() { curl -s '%s' -d Action=GetQueueAttributes -d AttributeName.1=All | tr -d '[:space:]'; }
        empty() { [ "$(queue | grep -oE 'NumberOfMessages[A-Za-z]*</Name><Value>0<' | wc -l)" -eq 3 ]; }
        for _ in {1..150}; do
          if listens && empty; then break; fi
          command -p sleep 0.2
        done
        """
            .formatted(sinks));
    return folder;
  }

  private static void writeScript(Path file, String script) throws IOException {
    assertThat(Files.writeString(file, script).toFile().setExecutable(true)).isTrue();
  }

  /**
   * Runs a block on a platform of its own.
   *
   * @param port where it lets {@code ./feed listen} listen
   * @throws IllegalStateException if the port was taken, or the block does not end
   */
  private List<String> run(String block, int port) {
    home = folder.resolve(Integer.toString(port));
    try (var platform = LocalPlatform.start(PlatformSettings.in(home.resolve("data")))) {
      var lines = run(block, port, platform);
      if (errors().contains("Port " + port + " is taken")) {
        throw new IllegalStateException(errors());
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private List<String> run(String block, int port, LocalPlatform platform)
      throws IOException, InterruptedException {
    writeFeed(platform);
    var sleep = writeSleep(platform);
    var input = Files.writeString(home.resolve("input"), block);
    var output = home.resolve("output");
    var process = new ProcessBuilder("bash", "--norc", "--noprofile");
    process.directory(home.toFile());
    process.environment().merge("PATH", sleep + ":", (path, folder) -> folder + path);
    process.environment().put("FEED_URL", platform.api().toString().replaceAll("/$", ""));
    process.environment().put("HOOK_PORT", Integer.toString(port));
    process.redirectInput(input.toFile());
    process.redirectOutput(output.toFile());
    process.redirectError(home.resolve("errors").toFile());
    var running = process.start();
    try {
      if (!running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("The commands do not end: " + errors());
      }
    } finally {
      running.descendants().forEach(ProcessHandle::destroyForcibly);
      running.destroyForcibly();
    }
    return Files.readAllLines(output).stream().map(ITPictureCommands::shortened).toList();
  }

  /** Returns what a line is about: the status, whether a list is empty, the type of an event. */
  private static String shortened(String line) {
    var status = line.replaceFirst("^.* (?=[0-9]{3}$)", "");
    if (line.startsWith("{\"items\":[")) {
      return status + (line.startsWith("{\"items\":[]") ? " nothing" : " found");
    }
    if (line.startsWith("{") || line.startsWith(" ")) {
      return status;
    }
    return line.replaceFirst(" (post|account):.*", "").replaceFirst("^[0-9,]+ rows in .*: ", "");
  }

  @Test
  void block_showsThePostEverywhere_andThenNowhere() throws Exception {
    var shown =
        List.of("200", "200 found", "200 found", "picture 200", "objects: 3", "valid post.created");
    var gone =
        List.of(
            "404",
            "200 nothing",
            "200 nothing",
            "picture 404",
            "objects: 0",
            "valid post.created",
            "valid post.deleted");

    var block = block();
    var lines = ServerPort.start(port -> run(block, port));

    assertThat(lines).as(() -> errors()).startsWith("201", "201", "204", "sent 204", "200");
    assertThat(lines).containsSubsequence(shown).containsSubsequence(gone);
    var both = List.of(shown, List.of("204"), gone, List.of("sent 204", "200"), shown);
    assertThat(lines.subList(5, lines.size()))
        .startsWith(both.stream().flatMap(List::stream).toArray(String[]::new))
        .containsSubsequence(List.of("202", "404", "200 nothing", "200 nothing", "picture 404"))
        .contains("valid account.erased", "no drift.");
    assertThat(lines).last().isEqualTo("204");
  }

  private String errors() {
    try {
      return Files.readString(home.resolve("errors"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
