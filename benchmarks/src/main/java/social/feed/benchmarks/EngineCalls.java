package social.feed.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

/** Forwards calls to an engine, and notes their kind and size. */
final class EngineCalls implements AutoCloseable {
  /** The JDK's client sets these itself. */
  private static final Set<String> OWN_HEADERS =
      Set.of("connection", "content-length", "expect", "host", "upgrade");

  private final URI engine;
  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  EngineCalls(URI engine) throws IOException {
    this.engine = engine;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::forward);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Returns the calls since the last time, in alphabetical order. */
  List<String> take() {
    synchronized (calls) {
      var taken = calls.stream().sorted().toList();
      calls.clear();
      return taken;
    }
  }

  private void forward(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      var target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
      calls.add(described(target.substring(target.indexOf('.') + 1), body));
      var request = HttpRequest.newBuilder(engine).POST(BodyPublishers.ofByteArray(body));
      exchange
          .getRequestHeaders()
          .forEach(
              (name, values) -> {
                if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                  values.forEach(value -> request.header(name, value));
                }
              });
      var response = client.send(request.build(), BodyHandlers.ofByteArray());
      response
          .headers()
          .firstValue("Content-Type")
          .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
      exchange.sendResponseHeaders(response.statusCode(), response.body().length);
      exchange.getResponseBody().write(response.body());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String described(String operation, byte[] body) {
    var request = JsonNode.parser().parse(new String(body, UTF_8));
    return operation
        + switch (operation) {
          case "BatchGetItem" ->
              request.field("RequestItems").orElseThrow().asObject().values().stream()
                  .map(
                      table ->
                          " of %d keys%s"
                              .formatted(
                                  table.field("Keys").orElseThrow().asArray().size(),
                                  strength(table)))
                  .toList();
          case "TransactWriteItems" ->
              request.field("TransactItems").orElseThrow().asArray().stream()
                  .map(item -> new TreeSet<>(item.asObject().keySet()))
                  .toList();
          case "Query" ->
              " of %s, limit %s%s"
                  .formatted(
                      request.field("IndexName").map(JsonNode::text).orElse("the table"),
                      request.field("Limit").map(JsonNode::text).orElse("none"),
                      strength(request));
          default -> strength(request);
        };
  }

  private static String strength(JsonNode request) {
    boolean isStrong = request.field("ConsistentRead").map(JsonNode::asBoolean).orElse(false);
    return isStrong ? ", strong" : "";
  }

  @Override
  public void close() {
    server.stop(0);
    client.close();
  }
}
