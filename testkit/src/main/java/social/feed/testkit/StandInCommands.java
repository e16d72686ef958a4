package social.feed.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Runs scripts of the repository in a folder of commands that take the place of those of the
 * machine, as {@code aws}. The folder also holds what the commands answer and note.
 *
 * @param folder an empty folder
 */
public record StandInCommands(Path folder) {
  private static final String HEAD =
      """
      #!/usr/bin/env bash
      set -euo pipefail
      cd "$(dirname "$0")"
      """;

  /**
   * What a script did.
   *
   * @param status its exit code
   * @param output what it printed, errors included
   */
  public record Outcome(int status, String output) {}

  /** Writes a command: the body of a script that runs in the folder. */
  public void command(String name, String body) throws IOException {
    Path file = Files.writeString(folder.resolve(name), HEAD + body);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + " cannot be made executable");
    }
  }

  /** Writes a file with one line. */
  public void given(String file, String line) throws IOException {
    Files.writeString(folder.resolve(file), line + "\n");
  }

  /** Returns the lines of a file, none where it does not exist. */
  public List<String> lines(String file) throws IOException {
    Path path = folder.resolve(file);
    return Files.exists(path) ? Files.readAllLines(path) : List.of();
  }

  /** Runs a script without a terminal and without a token of the developer. */
  public Outcome run(String... script) throws IOException, InterruptedException {
    return run(Map.of(), script);
  }

  /** The same with variables. */
  public Outcome run(Map<String, String> variables, String... script)
      throws IOException, InterruptedException {
    var builder = new ProcessBuilder(script).redirectErrorStream(true);
    var environment = builder.environment();
    environment.put("PATH", folder.toAbsolutePath() + ":" + System.getenv("PATH"));
    environment.keySet().removeAll(List.of("FEED_TOKEN", "CDK_DOCKER"));
    environment.putAll(variables);
    builder.redirectInput(Path.of("/dev/null").toFile());
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), output);
  }
}
