package social.feed.streams;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lambda's side of a function, on loopback: hands out an event at a time and takes the answer. What
 * it answers is written in the AWS Lambda Developer Guide, "Using the Lambda runtime API".
 */
public final class RuntimeApi implements AutoCloseable {
  private static final String API = "/2018-06-01/runtime/";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final CountDownLatch ready = new CountDownLatch(1);
  private volatile boolean restored;

  /**
   * What a function said.
   *
   * @param failed whether it was by way of an error
   */
  public record Answer(boolean failed, String body) {}

  public RuntimeApi() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(API, this::handle);
    server.start();
  }

  /** As the environment of a function names it. */
  public String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** Waits until the function asks for its first event. */
  public void awaitReady() throws InterruptedException {
    if (!ready.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("The function did not start: " + answers.poll());
    }
  }

  /** Whether it reported that a snapshot can be taken, and received the restore. */
  public boolean wasRestored() {
    return restored;
  }

  /** Invokes the function. */
  public Answer invoke(String event) throws InterruptedException {
    events.add(event);
    @Nullable Answer answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (answer == null) {
      throw new IllegalStateException("No answer to " + event);
    }
    return answer;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath().substring(API.length());
      if (path.equals("invocation/next")) {
        next(exchange);
      } else if (path.equals("restore/next")) {
        restored = true;
        send(exchange, 200, "");
      } else {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        answers.add(new Answer(!path.endsWith("/response"), body));
        send(exchange, 202, "{\"status\":\"OK\"}");
      }
    } catch (InterruptedException e) {
      // The server ends.
      Thread.currentThread().interrupt();
    }
  }

  private void next(HttpExchange exchange) throws IOException, InterruptedException {
    ready.countDown();
    var event = events.take();
    var headers = exchange.getResponseHeaders();
    headers.set("Lambda-Runtime-Aws-Request-Id", UUID.randomUUID().toString());
    headers.set(
        "Lambda-Runtime-Deadline-Ms", Long.toString(Instant.now().plus(PATIENCE).toEpochMilli()));
    headers.set(
        "Lambda-Runtime-Invoked-Function-Arn",
        "arn:aws:lambda:us-east-1:000000000000:function:feed-multiplexer");
    send(exchange, 200, event);
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
