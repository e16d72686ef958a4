package social.feed.api.edge.cache;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import social.feed.testkit.Polling;
import social.feed.testkit.ServerPort;

/** Debian's {@code redis-server}, in a process of its own on loopback, which keeps nothing. */
public final class RedisServer implements AutoCloseable {
  private final int port;
  private Process process;

  private record Started(int port, Process process) {}

  /** Starts a server, and returns when it answers. */
  public RedisServer() {
    Started started = ServerPort.start(free -> new Started(free, start(free)));
    this.port = started.port();
    this.process = started.process();
  }

  /** Returns the address, for {@code feed.cache.url}. */
  public String url() {
    return url(port);
  }

  /** Returns settings of a server that has its buckets here. */
  public Map<String, Object> with(Map<String, Object> settings) {
    Map<String, Object> shared = new HashMap<>(settings);
    shared.put("feed.cache.url", url());
    shared.put("feed.cache.timeout", "5s");
    return shared;
  }

  private static String url(int port) {
    return "redis://127.0.0.1:" + port;
  }

  private static Process start(int port) {
    try {
      Process started =
          new ProcessBuilder(
                  "/usr/bin/redis-server",
                  "--port",
                  String.valueOf(port),
                  "--bind",
                  "127.0.0.1",
                  "--save",
                  "",
                  "--appendonly",
                  "no")
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start();
      Polling.until(() -> answers(port, started));
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Another server may answer at the port, until this one finds that it is taken. */
  private static boolean answers(int port, Process started) {
    if (!started.isAlive()) {
      throw new IllegalStateException("redis-server ended with " + started.exitValue());
    }
    try {
      String about = called(port, commands -> commands.info("server"));
      return about.lines().anyMatch(("process_id:" + started.pid())::equals);
    } catch (RedisException _) {
      return false;
    }
  }

  private static <T> T called(int port, Function<RedisCommands<String, String>, T> calls) {
    var client = RedisClient.create(url(port));
    try (var connection = client.connect()) {
      return calls.apply(connection.sync());
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }

  /** Returns all keys. */
  List<String> keys() {
    return called(port, commands -> commands.keys("*"));
  }

  /** Returns the number of connections that have a name. */
  long clients(String name) {
    return called(port, RedisCommands::clientList)
        .lines()
        .filter(line -> line.contains(" name=" + name + " "))
        .count();
  }

  /** Closes the connections of all clients. */
  void closeConnections() {
    called(port, commands -> commands.clientKill(KillArgs.Builder.typeNormal().skipme()));
  }

  /** Changes a setting of the running server. */
  void set(String setting, String value) {
    called(port, commands -> commands.configSet(setting, value));
  }

  /** Ends the process as {@code kill -9} does. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  void restart() {
    process = start(port);
  }

  /** Stops the process, whose connections stay open. */
  void pause() {
    signal("STOP");
  }

  void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().onExit().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
