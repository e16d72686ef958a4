package social.feed.ctl.soak;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A client of the event stream of one user. After each disconnection it reconnects to another
 * process of the API, with the id of its last event. It records each connection.
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

  private final List<StreamConnection> connections = new ArrayList<>();

  /** What the client remembers of the id of its last event. */
  private final UnaryOperator<String> memory;

  private String lastId;

  /** Selects the process of the next attempt. */
  private int next;

  private boolean isBegun;
  private boolean isHeld;
  private boolean isStopped;
  private @Nullable InputStream open;

  private LiveReader(Client client, String user, String lastId, UnaryOperator<String> memory) {
    this.client = client;
    this.user = user;
    this.lastId = lastId;
    this.memory = memory;
    this.thread = Thread.ofVirtual().unstarted(this::run);
  }

  /**
   * Starts to read and returns after the first block: no later event may be missed.
   *
   * @param lastId the id to resume from, empty for a new client
   */
  static LiveReader start(Client client, String user, String lastId) throws InterruptedException {
    return started(new LiveReader(client, user, lastId, UnaryOperator.identity()));
  }

  /** Starts a client with a mistake: it never resumes, and begins again after a disconnection. */
  static LiveReader startForgetful(Client client, String user) throws InterruptedException {
    return started(new LiveReader(client, user, "", _ -> ""));
  }

  private static LiveReader started(LiveReader reader) throws InterruptedException {
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
      awaitRelease();
      boolean isConnected = false;
      try {
        var attempt = StreamConnection.opened(client.api(nextProcess()), memory.apply(lastId()));
        var response = client.stream(user, attempt.address(), attempt.sent());
        isConnected = response.statusCode() == OK;
        read(opened(response.body(), isConnected, attempt));
      } catch (IOException e) {
        // The process is down or died.
      } finally {
        ended();
      }
      if (!isConnected) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private synchronized void awaitRelease() {
    while (isHeld && !isStopped) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Keeps the client from connecting again until {@link #release}. */
  synchronized void hold() {
    isHeld = true;
  }

  synchronized void release() {
    isHeld = false;
    notifyAll();
  }

  private synchronized int nextProcess() {
    return next++;
  }

  private synchronized void ended() {
    open = null;
    notifyAll();
  }

  /** Notes an open stream, which {@link #disconnect} closes, and closes any other response. */
  private synchronized BufferedReader opened(
      InputStream body, boolean isConnected, StreamConnection attempt) throws IOException {
    if (isStopped || !isConnected) {
      body.close();
    } else {
      open = body;
      connections.add(attempt);
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
      connections.addLast(connections.removeLast().received(id));
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

  /**
   * Lets the client read from a process, and returns after the first block from there. It
   * disconnects unless it reads from there already.
   *
   * @param process selects the process of the API
   */
  synchronized void moveTo(int process) throws IOException, InterruptedException {
    var address = client.api(process);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isConnectedTo(address) || connections.getLast().first().isEmpty()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(user + " cannot connect to " + address);
      }
      if (!isConnectedTo(address)) {
        next = process;
        disconnect();
      }
      wait(PAUSE.toMillis());
    }
    next = process + 1;
  }

  private boolean isConnectedTo(URI address) {
    return open != null && connections.getLast().address().equals(address);
  }

  /** Returns how a kill cuts the present connection; empty if it does not, or there is none. */
  synchronized Optional<Cut> cutBy(String victim, Set<URI> survivors) {
    return open == null || survivors.contains(connections.getLast().address())
        ? Optional.empty()
        : Optional.of(new Cut(victim, user, connections.size() - 1, survivors));
  }

  /** Waits for the first block of the connection after a cut. */
  synchronized void awaitNext(Cut cut) throws InterruptedException {
    int number = cut.number() + 1;
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (connections.size() <= number || connections.get(number).first().isEmpty()) {
      if (System.nanoTime() - end > 0) {
        return;
      }
      wait(PAUSE.toMillis());
    }
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
    var differences = new ArrayList<>(missing(expected, patience));
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

  /**
   * Returns a sentence for each expected event that did not come.
   *
   * @param patience how long to wait for the expected events
   */
  synchronized List<String> missing(Set<String> expected, Duration patience)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    for (long left = patience.toMillis();
        left > 0 && !received.keySet().containsAll(expected);
        left = Duration.ofNanos(end - System.nanoTime()).toMillis()) {
      wait(left);
    }
    return expected.stream()
        .filter(event -> !received.containsKey(event))
        .map(event -> event + " is missing from the stream of " + user)
        .toList();
  }

  /** Returns whether an event came. */
  synchronized boolean has(String event) {
    return received.containsKey(event);
  }

  String user() {
    return user;
  }

  synchronized String lastId() {
    return lastId;
  }

  /** Returns the connections so far, the present one at the end. */
  synchronized List<StreamConnection> connections() {
    return List.copyOf(connections);
  }

  private synchronized boolean isStopped() {
    return isStopped;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    synchronized (this) {
      isStopped = true;
      notifyAll();
      disconnect();
    }
    thread.join();
  }
}
