package social.feed.ctl;

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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;

/** Another address of an engine, which refuses some calls as the service does. */
final class TableFront implements AutoCloseable {
  private static final String TARGET = "X-Amz-Target";
  private static final String TYPE = "Content-Type";
  private static final int REFUSED = 400;

  private final HttpServer front;
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI engine;
  private final Refusal refusal;

  /** Decides which calls are refused. */
  @FunctionalInterface
  interface Refusal {
    /**
     * Returns the code of the error, empty for a call that goes on to the engine.
     *
     * @param operation such as {@code Scan}
     */
    Optional<String> of(String operation, String body);
  }

  TableFront(URI engine, Refusal refusal) throws IOException {
    this.engine = engine;
    this.refusal = refusal;
    this.front = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    front.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    front.createContext("/", this::handle);
    front.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + front.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var operation = exchange.getRequestHeaders().getFirst(TARGET).replaceFirst(".*\\.", "");
      var code = refusal.of(operation, body);
      if (code.isPresent()) {
        answer(
            exchange,
            REFUSED,
            "{\"__type\":\"com.amazonaws.dynamodb.v20120810#%s\",\"message\":\"Refused\"}"
                .formatted(code.get()));
      } else {
        forward(exchange, body);
      }
    }
  }

  private void forward(HttpExchange exchange, String body) throws IOException {
    var request = HttpRequest.newBuilder(engine).POST(BodyPublishers.ofString(body));
    for (var name : List.of(TARGET, TYPE, "Authorization", "X-Amz-Date")) {
      request.header(name, exchange.getRequestHeaders().getFirst(name));
    }
    try {
      var response = http.send(request.build(), BodyHandlers.ofString());
      answer(exchange, response.statusCode(), response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add(TYPE, "application/x-amz-json-1.0");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    front.stop(0);
    http.close();
  }
}
