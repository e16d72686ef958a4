package social.feed.api.edge.cache;

import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import social.feed.testkit.Polling;

/** Debian's {@code redis-server}, in a process of its own on loopback, which keeps nothing. */
public final class RedisServer implements AutoCloseable {
  private final int port = freePort();
  private Process process = start();

  /** Returns the address, for {@code feed.cache.url}. */
  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  private Process start() {
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
      Polling.until(() -> answers(started));
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean answers(Process started) {
    if (!started.isAlive()) {
      throw new IllegalStateException("redis-server ended with " + started.exitValue());
    }
    try {
      call(client -> {});
      return true;
    } catch (RedisException _) {
      return false;
    }
  }

  private void call(Consumer<RedisCommands<String, String>> calls) {
    var client = RedisClient.create(url());
    try (var connection = client.connect()) {
      calls.accept(connection.sync());
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }

  /** Returns all keys. */
  List<String> keys() {
    List<String> found = new ArrayList<>();
    call(commands -> found.addAll(commands.keys("*")));
    return found;
  }

  /** Returns the number of connections that have a name. */
  long clients(String name) {
    List<String> found = new ArrayList<>();
    call(commands -> found.addAll(commands.clientList().lines().toList()));
    return found.stream().filter(line -> line.contains(" name=" + name + " ")).count();
  }

  /** Closes the connections of all clients. */
  void closeConnections() {
    call(commands -> commands.clientKill(KillArgs.Builder.typeNormal().skipme()));
  }

  /** Changes a setting of the running server. */
  void set(String setting, String value) {
    call(commands -> commands.configSet(setting, value));
  }

  /** Ends the process as {@code kill -9} does. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  void restart() {
    process = start();
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

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
