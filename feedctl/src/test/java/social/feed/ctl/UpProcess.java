package social.feed.ctl;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs a command in its own JVM, mostly {@code up} on free ports, and sends it signals. */
public final class UpProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private UpProcess(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  public static UpProcess start(Path home, Map<String, String> environment, String... options)
      throws IOException {
    var up = Stream.of("up", "--port", "0", "--dynamodb-port", "0", "--queue-port", "0");
    return command(home, environment, Stream.concat(up, Stream.of(options)).toArray(String[]::new));
  }

  /** Starts another command. */
  static UpProcess command(Path home, Map<String, String> environment, String... arguments)
      throws IOException {
    var command = new ArrayList<>(receivingInterrupts());
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dlogback.configurationFile=logback-feedctl.xml",
            "-Dfeed.home=" + home,
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return new UpProcess(builder.start());
  }

  /**
   * Returns the start of a command whose process receives interrupts. A shell starts background
   * jobs, such as a build, with interrupts ignored, and all their processes inherit that. Only
   * GNU's {@code env} can undo it.
   */
  private static List<String> receivingInterrupts() throws IOException {
    var prefix = List.of("env", "--default-signal=INT");
    var attempt = new ProcessBuilder(Stream.concat(prefix.stream(), Stream.of("true")).toList());
    try {
      var isGnu = attempt.redirectErrorStream(true).start().waitFor() == 0;
      return isGnu ? prefix : List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** Returns the output up to the first line with a prefix, including that line. */
  public String printedUntil(String begin) throws IOException {
    var lines = new ArrayList<String>();
    for (var line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(line);
      if (line.strip().startsWith(begin)) {
        break;
      }
    }
    return String.join("\n", lines);
  }

  /** Returns the rest of the output until the process ends. */
  public String rest() {
    return output.lines().collect(Collectors.joining("\n"));
  }

  /** Passes each line of the rest of the output on, until the process ends. */
  public void rest(Consumer<String> receiver) {
    output.lines().forEach(receiver);
  }

  public void signal(String name) throws IOException, InterruptedException {
    signal(name, List.of(process.toHandle()));
  }

  static void signal(String name, List<ProcessHandle> receivers)
      throws IOException, InterruptedException {
    var pids = receivers.stream().map(each -> Long.toString(each.pid()));
    var kill = Stream.concat(Stream.of("kill", "-" + name), pids).toList();
    new ProcessBuilder(kill).inheritIO().start().waitFor();
  }

  /** Returns the processes that this one has started. */
  List<ProcessHandle> others() {
    return process.descendants().toList();
  }

  public int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
