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
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An API in front of that of a platform, which refuses some requests of one account. */
public final class RefusingApi implements AutoCloseable {
  private static final Pattern SUBJECT = Pattern.compile("(?<=\"sub\":\")[^\"]+");

  private final URI api;
  private final Refusal refusal;
  private final String body;
  private final AtomicInteger left;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();

  /** A request with the account of its token. */
  public record Sent(String account, String method, URI uri) {}

  /**
   * Which requests are refused, and how.
   *
   * @param request an expression for method and path
   * @param retryAfter the header, absent if it is empty
   * @param times how often, beginning with the first such request
   */
  public record Refusal(String account, String request, int status, String retryAfter, int times) {}

  public RefusingApi(URI api, Refusal refusal) throws IOException {
    this(api, refusal, "{\"detail\":\"planted\"}");
  }

  /**
   * @param body of each refusal
   */
  public RefusingApi(URI api, Refusal refusal, String body) throws IOException {
    this.api = api;
    this.refusal = refusal;
    this.body = body;
    this.left = new AtomicInteger(refusal.times());
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Returns where it listens. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Returns all requests in the order in which they came. */
  public List<Sent> sent() {
    return List.copyOf(sent);
  }

  private void answer(HttpExchange exchange) throws IOException {
    var request =
        new Sent(
            subject(exchange.getRequestHeaders().getFirst("Authorization")),
            exchange.getRequestMethod(),
            exchange.getRequestURI());
    sent.add(request);
    if ((request.method() + " " + request.uri().getPath()).matches(refusal.request())
        && refusal.account().equals(request.account())
        && left.getAndDecrement() > 0) {
      if (!refusal.retryAfter().isEmpty()) {
        exchange.getResponseHeaders().add("Retry-After", refusal.retryAfter());
      }
      respond(exchange, refusal.status(), body);
    } else {
      forward(exchange);
    }
  }

  /** Tokens for development name their account in the second part. */
  private static String subject(@Nullable String token) {
    if (token == null) {
      return "";
    }
    var claims = Base64.getUrlDecoder().decode(token.split("\\.")[1]);
    return SUBJECT
        .matcher(new String(claims, StandardCharsets.UTF_8))
        .results()
        .map(MatchResult::group)
        .findFirst()
        .orElse("");
  }

  private void forward(HttpExchange exchange) throws IOException {
    var sent = exchange.getRequestBody().readAllBytes();
    var request =
        HttpRequest.newBuilder(api.resolve(exchange.getRequestURI().toString()))
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(sent));
    for (var name : List.of("Authorization", "Content-Type", "Idempotency-Key")) {
      var value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    try {
      var response = http.send(request.build(), BodyHandlers.ofString());
      respond(exchange, response.statusCode(), response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void respond(HttpExchange exchange, int status, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    http.shutdownNow();
  }
}
