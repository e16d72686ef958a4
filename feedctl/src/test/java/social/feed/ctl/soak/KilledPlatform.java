package social.feed.ctl.soak;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.ctl.UpProcess;

/**
 * Runs the platform in one process, and after that was killed in several. Processes are killed as
 * {@code kill -9} does. The first process, which has the data, is restarted on the same data. It
 * starts the others again.
 */
final class KilledPlatform implements AutoCloseable {
  private static final String ALL = "the platform";
  private static final String API = "API ";

  private static final List<String> VICTIMS =
      List.of(ALL, "API 1", "multiplexer 1", "API 2", "multiplexer 2");

  private static final Pattern STARTED =
      Pattern.compile("((?:API|multiplexer) \\d) is process (\\d+) at (\\S+)");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path data;
  private final AtomicInteger turn = new AtomicInteger();
  private @Nullable UpProcess process;
  private volatile List<URI> apis = List.of(URI.create("http://127.0.0.1:1"));
  private volatile URI dynamodb = URI.create("http://127.0.0.1:1");

  /** The processes that the first one has started and that were not killed. */
  private final Map<String, Long> children = new TreeMap<>();

  private KilledPlatform(Path data) {
    this.data = data;
  }

  /** Starts a platform in one process. */
  static KilledPlatform start(Path data) {
    var platform = new KilledPlatform(data);
    platform.start("--data", data.resolve("data").toString());
    return platform;
  }

  /** Returns the URL of the API: of each process in turn. They change with each start. */
  URI api() {
    return api(turn.getAndIncrement());
  }

  /** Returns the URL of the API that is selected by any number. */
  URI api(int choice) {
    var all = apis;
    return all.get(Math.floorMod(choice, all.size()));
  }

  URI dynamodb() {
    return dynamodb;
  }

  /** Returns the name of a process to kill: the first one and each of the others in turn. */
  static String victim(int number) {
    return VICTIMS.get(number % VICTIMS.size());
  }

  static boolean isMultiplexer(String victim) {
    return victim.startsWith("multiplexer ");
  }

  /**
   * Returns the number that selects a process of the API by its name; empty for other processes.
   */
  static OptionalInt api(String victim) {
    return victim.startsWith(API)
        ? OptionalInt.of(Integer.parseInt(victim.substring(API.length())) - 1)
        : OptionalInt.empty();
  }

  /**
   * Returns the addresses of the API that answer on while a process is killed; none if it is the
   * first one, with which all others end.
   */
  Set<URI> survivors(String victim) {
    if (victim.equals(ALL)) {
      return Set.of();
    }
    var survivors = new HashSet<>(apis);
    api(victim).ifPresent(number -> survivors.remove(api(number)));
    return survivors;
  }

  /** Kills a process. Returns after the restart of the first one, and before that of another. */
  void kill(String victim) throws IOException, InterruptedException {
    if (victim.equals(ALL)) {
      kill();
      var folder = data.resolve("data").toString();
      start("--data", folder, "--api", "2", "--multiplexers", "2");
    } else {
      signal("KILL", running(victim));
    }
  }

  /** Waits until no process is down. */
  void awaitAll() throws InterruptedException {
    await(victim -> !victim.equals(ALL));
  }

  /** Waits until no process of the API is down. */
  void awaitApis() throws InterruptedException {
    await(victim -> api(victim).isPresent());
  }

  private void await(Predicate<String> which) throws InterruptedException {
    if (apis.size() > 1) {
      for (var child : VICTIMS.stream().filter(which).toList()) {
        await(child);
      }
    }
  }

  /** Waits for a process that was killed before, and returns its id. */
  private synchronized long running(String child) throws InterruptedException {
    await(child);
    return requireNonNull(children.remove(child));
  }

  private synchronized void await(String child) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!children.containsKey(child)) {
      wait(PATIENCE.toMillis());
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(child + " was not started again");
      }
    }
  }

  /** Stops the platform as Ctrl-C does, and returns the ids of processes that are left. */
  List<Long> stop() throws IOException, InterruptedException {
    var ids = children().values();
    if (process != null) {
      process.signal("TERM");
      process.exitCode();
    }
    return ids.stream().filter(id -> ProcessHandle.of(id).isPresent()).toList();
  }

  private synchronized Map<String, Long> children() {
    return new HashMap<>(children);
  }

  private synchronized void noted(String line) {
    var matcher = STARTED.matcher(line);
    if (matcher.find()) {
      children.put(matcher.group(1), Long.parseLong(matcher.group(2)));
      notifyAll();
    }
  }

  private void start(String... options) {
    try {
      var started = UpProcess.start(data, Map.of(), options);
      process = started;
      var banner = started.printedUntil("Ctrl-C");
      banner.lines().forEach(this::noted);
      dynamodb = addresses("DynamoDB", banner).getFirst();
      apis = addresses("API", banner);
      Thread.ofVirtual().start(() -> started.rest(this::noted));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void kill() throws IOException, InterruptedException {
    var running = process;
    if (running != null) {
      running.signal("KILL");
      running.exitCode();
      synchronized (this) {
        children.clear();
      }
    }
  }

  private static void signal(String name, long id) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(id)).inheritIO().start().waitFor();
  }

  private static List<URI> addresses(String what, String banner) {
    var matcher = Pattern.compile("\n  " + what + " +(\\S+)((?:\n {16}\\S+)*)").matcher(banner);
    if (!matcher.find()) {
      throw new IllegalStateException("The platform did not start: " + banner);
    }
    return Stream.of((matcher.group(1) + matcher.group(2)).split("\\s+")).map(URI::create).toList();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    kill();
  }
}
