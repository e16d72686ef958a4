package social.feed.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A second JVM with this one's class path, to be killed the hard way. */
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

  /** Kills with SIGKILL after it printed {@code number}; returns the last number it printed. */
  public int killedAfter(int number) throws IOException, InterruptedException {
    int last = 0;
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      last = numberOf(line, last);
      if (last == number) {
        // Process.destroyForcibly would close the output that is still to be read.
        process.toHandle().destroyForcibly();
      }
    }
    process.waitFor();
    return last;
  }

  /** The line that the kill cut in two says nothing. */
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
