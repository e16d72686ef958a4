package social.feed.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Calls between the processes of one platform: a POST on 127.0.0.1, with text as request and
 * response. Each call has a connection of its own, so it fails as soon as the other process dies,
 * and never because an idle connection was closed.
 *
 * <p>A web page can make a browser send a POST here, which could apply records that the page made
 * up. So a request that a browser sends for a page is refused, as is one without the header of
 * these calls. A browser sends that header only after a preflight request, which is refused too.
 */
final class LoopbackCalls implements AutoCloseable {
  private static final int OK = 200;
  private static final int REFUSED = 403;
  private static final int FAILED = 500;
  private static final String OWN_HEADER = "Feed-Call";

  /** What browsers add to the requests of pages. */
  private static final List<String> OF_PAGES = List.of("Origin", "Sec-Fetch-Site");

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final HttpServer server;
  private final ExecutorService threads;

  /** Answers the calls of one name. */
  @FunctionalInterface
  interface Receiver {
    String receive(String text) throws Exception;
  }

  private LoopbackCalls(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Serves calls by their names, each on its own thread.
   *
   * @param port the port, or 0 for any free one
   * @throws UncheckedIOException if the port is taken
   */
  static LoopbackCalls serve(int port, Map<String, Receiver> receivers) {
    try {
      var server =
          HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 0);
      var threads = Executors.newVirtualThreadPerTaskExecutor();
      server.setExecutor(threads);
      receivers.forEach(
          (name, receiver) ->
              server.createContext("/" + name, exchange -> answer(exchange, receiver)));
      server.start();
      return new LoopbackCalls(server, threads);
    } catch (IOException e) {
      throw new UncheckedIOException("Port " + port + " is taken", e);
    }
  }

  private static void answer(HttpExchange exchange, Receiver receiver) throws IOException {
    try (exchange) {
      if (isOfAPage(exchange.getRequestHeaders())) {
        exchange.sendResponseHeaders(REFUSED, -1);
        return;
      }
      int status = OK;
      String text;
      try {
        text = receiver.receive(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      } catch (Exception e) {
        status = FAILED;
        text = e.toString();
      }
      var body = text.getBytes(UTF_8);
      exchange.getResponseHeaders().set("Connection", "close");
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static boolean isOfAPage(Headers headers) {
    return !headers.containsKey(OWN_HEADER) || OF_PAGES.stream().anyMatch(headers::containsKey);
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /**
   * Calls another process and waits for its response, without a time limit.
   *
   * @throws IOException if the process does not listen, dies during the call or reports a failure;
   *     in the last two cases the call may have had effects
   */
  static String call(URI address, String name, String text) throws IOException {
    var request =
        HttpRequest.newBuilder(address.resolve("/" + name))
            .header(OWN_HEADER, name)
            .POST(BodyPublishers.ofString(text));
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      if (response.statusCode() != OK) {
        throw new IOException(response.body());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(e.toString());
    }
  }

  /** Stops serving. Calls that are under way fail. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
