package social.feed.simulation;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A server on loopback that refuses requests, loses the answer of what it has taken, and takes late
 * what it seemed to have lost. For some requests it may be down.
 */
abstract class UnsteadyServer implements AutoCloseable {
  private static final int OFTEN = 12;
  private static final int RARE = 20;

  private final IntPredicate chance;
  private final UnaryOperator<Answer> received;
  private final HttpServer server;
  private final List<Late> late = new CopyOnWriteArrayList<>();
  private volatile Predicate<Request> isDown = _ -> false;
  private volatile boolean isSteady;

  /**
   * A request, as it came.
   *
   * @param path begins with a slash
   */
  record Request(
      String method, String path, TreeMap<String, String> query, Headers headers, String body) {}

  /**
   * An answer.
   *
   * @param body JSON, or empty
   */
  record Answer(int status, String body) {}

  private record Late(Request request, Supplier<Answer> taking) {}

  /**
   * @param chance true once in so many times
   * @param received what a planted client makes of an answer
   */
  UnsteadyServer(IntPredicate chance, UnaryOperator<Answer> received) {
    this.chance = chance;
    this.received = received;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 10);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  /**
   * Sees a request, also one that is refused.
   *
   * @param isConfirmed whether it is taken, and its answer arrives
   * @return takes it, now or later
   */
  abstract Supplier<Answer> arrives(Request request, boolean isConfirmed);

  /** Returns how the server refuses a request. */
  abstract Answer refusal();

  /** Returns the address of the server, without a slash at its end. */
  final URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    var uri = exchange.getRequestURI();
    var request =
        new Request(
            exchange.getRequestMethod(),
            uri.getPath(),
            query(uri),
            exchange.getRequestHeaders(),
            body);
    var answer = answer(request).map(received);
    if (answer.isPresent()) {
      var bytes = answer.get().body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.getResponseHeaders().set("Location", "/elsewhere");
      boolean hasBody = bytes.length > 0 && !request.method().equals("HEAD");
      exchange.sendResponseHeaders(answer.get().status(), hasBody ? bytes.length : -1);
      if (hasBody) {
        exchange.getResponseBody().write(bytes);
      }
    }
    // Without an answer, this ends the connection.
    exchange.close();
  }

  private static TreeMap<String, String> query(URI uri) {
    var query = new TreeMap<String, String>();
    for (var one : Optional.ofNullable(uri.getQuery()).orElse("").split("&", -1)) {
      int end = one.indexOf('=');
      if (end > 0) {
        query.put(one.substring(0, end), one.substring(end + 1));
      }
    }
    return query;
  }

  private Optional<Answer> answer(Request request) {
    boolean isRefused = isDown.test(request) || happens(OFTEN);
    boolean isLate = !isRefused && happens(RARE);
    boolean isLost = isLate || (!isRefused && happens(OFTEN));
    var taking = arrives(request, !isRefused && !isLost);
    if (isRefused) {
      return Optional.of(refusal());
    }
    if (isLate) {
      late.add(new Late(request, taking));
      return Optional.empty();
    }
    var answer = taking.get();
    return isLost ? Optional.empty() : Optional.of(answer);
  }

  /** True once in so many times, until the server is steady. */
  final boolean happens(int oneIn) {
    return !isSteady && chance.test(oneIn);
  }

  /** Refuses such requests from now on, and no others. */
  final void setDown(Predicate<Request> which) {
    isDown = which;
  }

  /** Takes all that comes from now on. */
  final void becomeSteady() {
    setDown(_ -> false);
    isSteady = true;
  }

  /** Takes what came late. */
  void goOn() {
    goOn(_ -> true);
  }

  /** Takes such requests of those that came late. */
  final void goOn(Predicate<Request> which) {
    for (var one : List.copyOf(late)) {
      if (which.test(one.request()) && late.remove(one)) {
        var _ = one.taking().get();
      }
    }
  }

  @Override
  public final void close() {
    server.stop(0);
  }
}
