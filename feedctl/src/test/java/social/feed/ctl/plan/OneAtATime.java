package social.feed.ctl.plan;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import social.feed.local.LocalPlatform;

/**
 * A server in front of the API of a platform. Once it awaits effects, it passes on one request at a
 * time, and answers a write when the stream is drained. A read has no effects.
 */
final class OneAtATime implements AutoCloseable {
  private final LocalPlatform platform;
  private final Duration patience;
  private final HttpServer server;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ReentrantLock turn = new ReentrantLock();
  private volatile boolean awaitsEffects;

  private OneAtATime(LocalPlatform platform, Duration patience, HttpServer server) {
    this.platform = platform;
    this.patience = patience;
    this.server = server;
  }

  static OneAtATime start(LocalPlatform platform, Duration patience) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var front = new OneAtATime(platform, patience, server);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", front::handle);
    server.start();
    return front;
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  void awaitEffects() {
    awaitsEffects = true;
  }

  private void handle(HttpExchange exchange) throws IOException {
    if (!awaitsEffects) {
      forward(exchange);
      return;
    }
    turn.lock();
    try {
      forward(exchange);
    } finally {
      turn.unlock();
    }
  }

  private void forward(HttpExchange exchange) throws IOException {
    try (exchange) {
      var to = platform.api().resolve(exchange.getRequestURI().toString());
      var body = exchange.getRequestBody().readAllBytes();
      var request =
          HttpRequest.newBuilder(to)
              .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
      Stream.of("Authorization", "Content-Type", "Idempotency-Key")
          .forEach(
              name ->
                  Optional.ofNullable(exchange.getRequestHeaders().getFirst(name))
                      .ifPresent(value -> request.header(name, value)));
      var response = http.send(request.build(), BodyHandlers.ofByteArray());
      if (awaitsEffects && !exchange.getRequestMethod().equals("GET")) {
        platform.drain(patience);
      }
      response.headers().map().entrySet().stream()
          .filter(header -> !header.getKey().equalsIgnoreCase("content-length"))
          .filter(header -> !header.getKey().equalsIgnoreCase("connection"))
          .forEach(header -> exchange.getResponseHeaders().put(header.getKey(), header.getValue()));
      int length = response.body().length;
      exchange.sendResponseHeaders(response.statusCode(), length == 0 ? -1 : length);
      if (length > 0) {
        exchange.getResponseBody().write(response.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    http.close();
  }
}
