package social.feed.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A second JVM with the class path of this one, for tests that kill it with SIGKILL. */
public final class ForkedJvm implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;

  private ForkedJvm(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  public static ForkedJvm run(Class<?> main, Path argument) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    main.getName(),
                    argument.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return new ForkedJvm(process);
  }

  /**
   * Kills the process with SIGKILL after it printed {@code number}. Returns the last number that it
   * printed.
   */
  public int killedAfter(int number) throws IOException, InterruptedException {
    int last = 0;
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      last = numberOf(line, last);
      if (last == number) {
        // Process.destroyForcibly would close the output, which is not read to its end yet.
        process.toHandle().destroyForcibly();
      }
    }
    process.waitFor();
    return last;
  }

  /** Ignores a line that the kill truncated. */
  private static int numberOf(String line, int last) {
    return line.equals(Integer.toString(last + 1)) ? last + 1 : last;
  }

  public @Nullable String firstLine() throws IOException {
    return output.readLine();
  }

  public int exitCode() {
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
