package social.feed.ctl.soak;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A client of the event stream of one user. After each disconnection it reconnects to another
 * process of the API, with the id of its last event.
 */
final class LiveReader implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int OK = 200;

  private final Client client;
  private final String user;
  private final Thread thread;

  /** How often each event came. */
  private final Map<String, Integer> received = new HashMap<>();

  private String lastId;
  private int attempts;
  private int connections;
  private boolean isBegun;
  private boolean isStopped;
  private @Nullable InputStream open;

  private LiveReader(Client client, String user, String lastId) {
    this.client = client;
    this.user = user;
    this.lastId = lastId;
    this.thread = Thread.ofVirtual().unstarted(this::run);
  }

  /**
   * Starts to read and returns after the first block: no later event may be missed.
   *
   * @param lastId the id to resume from, empty for a new client
   */
  static LiveReader start(Client client, String user, String lastId) throws InterruptedException {
    var reader = new LiveReader(client, user, lastId);
    reader.thread.start();
    reader.awaitBegin();
    return reader;
  }

  private synchronized void awaitBegin() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isBegun) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("No stream of " + user + " begins");
      }
      wait(PAUSE.toMillis());
    }
  }

  private void run() {
    while (!isStopped()) {
      boolean isConnected = false;
      try {
        var response = client.stream(user, nextProcess(), lastId());
        isConnected = response.statusCode() == OK;
        read(opened(response.body(), isConnected));
      } catch (IOException e) {
        // The process is down or died.
      }
      if (!isConnected) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private synchronized int nextProcess() {
    return attempts++;
  }

  /** Notes an open stream, which {@link #disconnect} closes, and closes any other response. */
  private synchronized BufferedReader opened(InputStream body, boolean isConnected)
      throws IOException {
    if (isStopped || !isConnected) {
      body.close();
    } else {
      open = body;
      connections++;
    }
    return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  /** Reads blocks. A block counts when it is complete, as the standard requires. */
  private void read(BufferedReader lines) throws IOException {
    String id = "";
    String name = "";
    String data = "";
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        received(id, name, data);
        id = "";
        name = "";
        data = "";
      } else if (line.startsWith("id:")) {
        id = line.substring(3).strip();
      } else if (line.startsWith("event:")) {
        name = line.substring(6).strip();
      } else if (line.startsWith("data:")) {
        data += line.substring(5).strip();
      }
    }
  }

  private synchronized void received(String id, String name, String data) throws IOException {
    if (!id.isEmpty()) {
      lastId = id;
    }
    if (!data.isEmpty()) {
      received.merge(described(name, data), 1, Integer::sum);
    }
    isBegun = true;
    notifyAll();
  }

  private static String described(String name, String data) throws IOException {
    var json = JsonMapper.createDefault().readValue(data, JsonNode.class);
    return switch (name) {
      case "feed_entry" -> "post " + json.get("id").getStringValue();
      case "notification" ->
          json.get("type").getStringValue() + " " + json.get("post_id").getStringValue();
      default -> name;
    };
  }

  /** Disconnects the client, which then reconnects to the next process. */
  synchronized void disconnect() throws IOException {
    if (open != null) {
      open.close();
    }
  }

  /**
   * Returns a sentence for each expected event that did not come, for each that came twice, and for
   * each other one.
   *
   * @param patience how long to wait for the expected events
   */
  synchronized List<String> differences(Set<String> expected, Duration patience)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    for (long left = patience.toMillis();
        left > 0 && !received.keySet().containsAll(expected);
        left = Duration.ofNanos(end - System.nanoTime()).toMillis()) {
      wait(left);
    }
    var differences = new ArrayList<String>();
    expected.stream()
        .filter(event -> !received.containsKey(event))
        .forEach(event -> differences.add(event + " is missing from the stream of " + user));
    received.forEach(
        (event, times) -> {
          if (!expected.contains(event)) {
            differences.add(event + " should not be in the stream of " + user);
          } else if (times > 1) {
            differences.add(event + " came " + times + " times to " + user);
          }
        });
    return differences;
  }

  String user() {
    return user;
  }

  synchronized String lastId() {
    return lastId;
  }

  /** Returns how often the client was connected. */
  synchronized int connections() {
    return connections;
  }

  private synchronized boolean isStopped() {
    return isStopped;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    synchronized (this) {
      isStopped = true;
      disconnect();
    }
    thread.join();
  }
}
