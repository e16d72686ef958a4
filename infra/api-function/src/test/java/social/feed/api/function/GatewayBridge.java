package social.feed.api.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext.Http;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's side of the function, on loopback: turns each HTTP request into an event of an HTTP
 * API in payload format 2.0, as "Create AWS Lambda proxy integrations for HTTP APIs" in the API
 * Gateway Developer Guide describes it, and each response of the function into one of HTTP. The
 * gateway's own limits and its check of tokens are not here.
 */
final class GatewayBridge implements AutoCloseable {
  static {
    // Otherwise a response waits for the client's acknowledgment of its head.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final UnaryOperator<String> function;

  /**
   * @param function takes an event and returns a response, both in JSON
   */
  GatewayBridge(UnaryOperator<String> function) throws IOException {
    this.function = function;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      APIGatewayV2HTTPResponse response =
          LambdaJson.readResponse(function.apply(LambdaJson.write(event(exchange))));
      send(exchange, response);
    }
  }

  private static APIGatewayV2HTTPEvent event(HttpExchange exchange) throws IOException {
    URI uri = exchange.getRequestURI();
    Map<String, String> headers = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), join(values)));
    @Nullable String cookies = headers.remove("cookie");
    byte[] body = exchange.getRequestBody().readAllBytes();
    @Nullable String text = text(body, headers.getOrDefault("content-type", ""));
    String query = Objects.requireNonNullElse(uri.getRawQuery(), "");
    return APIGatewayV2HTTPEvent.builder()
        .withVersion("2.0")
        .withRouteKey("ANY /{path+}")
        .withRawPath(uri.getRawPath())
        .withRawQueryString(query)
        .withCookies(cookies == null ? null : List.of(cookies.split("; ")))
        .withHeaders(headers)
        .withQueryStringParameters(query.isEmpty() ? null : Map.of("not", "read"))
        .withRequestContext(context(exchange))
        .withBody(
            body.length == 0
                ? null
                : text == null ? Base64.getEncoder().encodeToString(body) : text)
        .withIsBase64Encoded(text == null)
        .build();
  }

  private static RequestContext context(HttpExchange exchange) {
    return RequestContext.builder()
        .withStage("$default")
        .withHttp(
            Http.builder()
                .withMethod(exchange.getRequestMethod())
                .withPath(exchange.getRequestURI().getPath())
                .withProtocol(exchange.getProtocol())
                .withSourceIp(exchange.getRemoteAddress().getAddress().getHostAddress())
                .build())
        .build();
  }

  private static String join(List<String> values) {
    return String.join(",", values);
  }

  /** The gateway passes on some media types as text, and all others as base64. */
  private static @Nullable String text(byte[] body, String type) {
    if (!type.startsWith("text/") && !type.startsWith("application/json") && body.length > 0) {
      return null;
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static void send(HttpExchange exchange, APIGatewayV2HTTPResponse response)
      throws IOException {
    response.getHeaders().forEach(exchange.getResponseHeaders()::set);
    String body = Objects.requireNonNullElse(response.getBody(), "");
    byte[] bytes =
        response.getIsBase64Encoded() ? Base64.getDecoder().decode(body) : body.getBytes(UTF_8);
    exchange.sendResponseHeaders(response.getStatusCode(), bytes.length == 0 ? -1 : bytes.length);
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
