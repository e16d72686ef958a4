package social.feed.local;

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
import java.util.regex.Pattern;

/** Stands before an API and gives one wrong response. All other requests reach the API. */
final class FaultyProxy implements AutoCloseable {
  /**
   * A wrong response.
   *
   * @param request method and path, as a regular expression
   * @param passes how many of these requests reach the API before
   * @param times how many of these get the wrong response, after which all reach the API again
   * @param status the status, or that of the response before where the body is empty
   * @param body the body, or that of the response before where it is empty
   */
  record Fault(String request, int passes, int times, int status, String body) {
    /** The response to each request after some. */
    static Fault after(int passes, String request, int status, String body) {
      return new Fault(request, passes, Integer.MAX_VALUE, status, body);
    }

    /** The response to the first request alone, in place of the API's. */
    static Fault once(String request, int status) {
      return new Fault(request, 0, 1, status, "{}");
    }

    /** The response to the first request, for all later ones as well. */
    static Fault repeated(String request) {
      return new Fault(request, 1, Integer.MAX_VALUE, 0, "");
    }

    private boolean includes(int number) {
      return number >= passes && number - passes < times;
    }
  }

  private record Answer(int status, byte[] body) {}

  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer server;
  private final URI api;
  private final Fault fault;
  private Answer before = new Answer(0, new byte[0]);
  private int seen;

  FaultyProxy(URI api, Fault fault) throws IOException {
    this.api = api;
    this.fault = fault;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::respond);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void respond(HttpExchange exchange) throws IOException {
    try (exchange) {
      var request = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
      var answer = answer(exchange, Pattern.matches(fault.request(), request));
      exchange.sendResponseHeaders(
          answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
      exchange.getResponseBody().write(answer.body());
    }
  }

  private Answer answer(HttpExchange exchange, boolean matches) throws IOException {
    if (!matches) {
      return ofTheApi(exchange);
    }
    if (!fault.includes(seen++)) {
      before = ofTheApi(exchange);
      return before;
    }
    return fault.body().isEmpty()
        ? before
        : new Answer(fault.status(), fault.body().getBytes(StandardCharsets.UTF_8));
  }

  private Answer ofTheApi(HttpExchange exchange) throws IOException {
    var body = BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes());
    var request =
        HttpRequest.newBuilder(api.resolve(exchange.getRequestURI().toString()))
            .method(exchange.getRequestMethod(), body);
    for (var name : List.of("Authorization", "Content-Type")) {
      var value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    try {
      var response = client.send(request.build(), BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
