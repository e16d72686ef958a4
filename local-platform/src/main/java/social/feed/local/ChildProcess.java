package social.feed.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of the platform in a process of its own, which is started again whenever it ends, until
 * the platform stops.
 *
 * <p>The process calls {@link #isReady} when it listens, and then {@link #awaitEndOfParent}: its
 * standard input ends when this process ends, however that happens.
 */
final class ChildProcess implements AutoCloseable {
  /** The processor is shared with the other processes that start. */
  private static final Duration START_WITHIN = Duration.ofMinutes(2);

  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  /**
   * The pause before a process that ended before it was ready is started again. It doubles each
   * time.
   */
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /**
   * Starts the command that follows. A terminal sends its signals to all processes, but only the
   * first one stops the platform. A JVM leaves signals ignored that its parent ignores.
   */
  private static final List<String> WITHOUT_SIGNALS_OF_THE_TERMINAL =
      List.of("sh", "-c", "trap '' HUP INT; exec \"$@\"", "sh");

  /** Variables that a JVM reads. Their arguments are among the input arguments of this process. */
  private static final List<String> VARIABLES_OF_ARGUMENTS =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  /** Arguments of a debugger or another agent, which may listen on a port that this process has. */
  private static final Pattern AGENT =
      Pattern.compile("-(agentlib:|agentpath:|javaagent:|Xrun|Dcom\\.sun\\.management\\.).*");

  private static final String READY = "ready ";
  private static final Pattern READY_LINE = Pattern.compile(READY + "(http://[^/:]+:\\d{1,5})/?");
  private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);

  private final String name;
  private final Program program;
  private final BooleanSupplier isStopping;
  private final CompletableFuture<URI> firstStart = new CompletableFuture<>();
  private int port;
  private boolean isClosed;
  private @Nullable Process process;
  private volatile @Nullable URI address;

  /**
   * What a process runs.
   *
   * @param main class whose arguments are the port, 0 for any free one, and the given ones
   * @param environment variables in addition to those of this process, such as secrets
   * @param keepsPort whether each start takes the port of the first one, which clients know
   */
  record Program(
      Class<?> main, List<String> arguments, Map<String, String> environment, boolean keepsPort) {
    private Process start(int port) throws IOException {
      var command = new ArrayList<>(WITHOUT_SIGNALS_OF_THE_TERMINAL);
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(argument -> !AGENT.matcher(argument).matches())
          .forEach(command::add);
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
      command.add(Integer.toString(port));
      command.addAll(arguments);
      var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
      VARIABLES_OF_ARGUMENTS.forEach(builder.environment()::remove);
      builder.environment().putAll(environment);
      return builder.start();
    }
  }

  private ChildProcess(String name, int port, Program program, BooleanSupplier isStopping) {
    this.name = name;
    this.port = port;
    this.program = program;
    this.isStopping = isStopping;
  }

  /**
   * Starts a process, and returns before it is ready.
   *
   * @param name names the process in messages
   * @param port port of the first start, or 0 for any free one
   * @param isStopping whether the platform stops, so that the process is not started again
   */
  static ChildProcess start(String name, int port, Program program, BooleanSupplier isStopping) {
    var child = new ChildProcess(name, port, program, isStopping);
    Thread.ofPlatform().name(name).daemon().start(child::supervise);
    return child;
  }

  /** Reports from within a process that it listens. */
  static void isReady(URI address) {
    System.out.println(READY + address);
    System.out.flush();
  }

  /** Waits from within a process until its parent has ended, and ends the process. */
  static void awaitEndOfParent() {
    try {
      while (System.in.read() >= 0) {
        // The parent sends nothing.
      }
    } catch (IOException e) {
      // The parent has ended, too.
    }
    Runtime.getRuntime().halt(0);
  }

  /**
   * Waits until the process is ready for the first time.
   *
   * @throws IllegalStateException if it ends before that
   */
  URI awaitFirstStart() {
    try {
      return firstStart.get(START_WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(name + " did not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(name + " was not awaited", e);
    }
  }

  /** Returns the address of the process, null while it starts. */
  @Nullable URI address() {
    return address;
  }

  private void supervise() {
    var pause = SHORTEST_PAUSE;
    try {
      for (var running = launch(); running != null; running = launch()) {
        readUntilEnd(running.inputReader());
        boolean wasReady = address != null;
        address = null;
        int code = running.waitFor();
        if (wasReady) {
          pause = SHORTEST_PAUSE;
        }
        if (isToBeStartedAgain(code) && !wasReady) {
          Thread.sleep(pause);
          pause = Collections.min(List.of(pause.multipliedBy(2), LONGEST_PAUSE));
        }
      }
      firstStart.completeExceptionally(new IllegalStateException("The platform stops"));
    } catch (IOException | RuntimeException e) {
      LOG.error("{} cannot be started. Restart the platform", name, e);
      firstStart.completeExceptionally(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable Process launch() throws IOException {
    if (isClosed || isStopping.getAsBoolean()) {
      return null;
    }
    process = program.start(port);
    return process;
  }

  /** Reads the output. Only the address belongs to this class. */
  private void readUntilEnd(BufferedReader output) {
    try {
      for (var line = output.readLine(); line != null; line = output.readLine()) {
        var matcher = READY_LINE.matcher(line);
        if (address == null && matcher.matches()) {
          ready(URI.create(matcher.group(1)));
        } else {
          System.err.println(line);
        }
      }
    } catch (IOException e) {
      LOG.debug("The output of {} ended", name, e);
    }
  }

  private synchronized void ready(URI at) {
    if (program.keepsPort()) {
      port = at.getPort();
    }
    address = at;
    if (process != null) {
      LOG.info("{} is process {} at {}", name, process.pid(), at);
    }
    firstStart.complete(at);
  }

  private synchronized boolean isToBeStartedAgain(int code) {
    if (firstStart.completeExceptionally(new IllegalStateException("It ended with " + code))) {
      isClosed = true;
    }
    isClosed |= isStopping.getAsBoolean();
    if (!isClosed) {
      LOG.warn("{} ended with {} and is started again", name, code);
    }
    return !isClosed;
  }

  /** Stops the process, and kills it if that takes long. It is not started again. */
  @Override
  public void close() {
    var last = last();
    if (last == null) {
      return;
    }
    // Unlike Process.destroy, this leaves the standard input open, whose end would halt the
    // process.
    last.toHandle().destroy();
    try {
      if (!last.waitFor(STOP_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
        last.destroyForcibly().onExit().join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      last.destroyForcibly();
    }
  }

  /** Kills the process, so that calls to it fail. It is not started again. */
  void kill() {
    var last = last();
    if (last != null) {
      last.destroyForcibly();
    }
  }

  private synchronized @Nullable Process last() {
    isClosed = true;
    return process;
  }
}
