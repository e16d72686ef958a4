package social.feed.simulation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntPredicate;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;

/**
 * The receivers of webhooks: one server on loopback, with a path for each webhook. They refuse,
 * send the caller elsewhere, lose the answer of what they have taken, and take late what they
 * seemed to have lost. One of them may be down.
 */
final class UnsteadyReceivers implements AutoCloseable {
  private static final int OFTEN = 12;
  private static final int RARE = 20;
  private static final String NONE = "";

  private final InstantSource clock;
  private final IntPredicate chance;
  private final HttpServer server;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final List<Call> taken = new CopyOnWriteArrayList<>();
  private final List<Call> late = new CopyOnWriteArrayList<>();
  private volatile String down = NONE;
  private volatile boolean isSteady;

  /**
   * A call, as it came.
   *
   * @param path names the webhook
   * @param isConfirmed whether the answer was a success
   */
  record Call(
      String path,
      String id,
      String timestamp,
      String signatures,
      String body,
      Instant at,
      boolean isConfirmed) {
    DomainEvent event() {
      return EventJson.read(body);
    }
  }

  /** What a receiver does with a call. */
  private enum Reaction {
    TAKEN(204),
    REFUSED(503),
    SENT_ELSEWHERE(307),
    TAKEN_WITHOUT_ANSWER(0),
    TAKEN_LATE(0);

    /** The status of the answer; zero without one. */
    private final int status;

    Reaction(int status) {
      this.status = status;
    }
  }

  /**
   * @param chance true once in so many times
   */
  UnsteadyReceivers(InstantSource clock, IntPredicate chance) {
    this.clock = clock;
    this.chance = chance;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 10);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  /** Returns the address of the receiver of a webhook. */
  String address(String webhookId) {
    return "http://127.0.0.1:%d/%s".formatted(server.getAddress().getPort(), webhookId);
  }

  private void handle(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath().substring(1);
    var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    var reaction = reaction(path);
    var call =
        new Call(
            path,
            header(exchange, "webhook-id"),
            header(exchange, "webhook-timestamp"),
            header(exchange, "webhook-signature"),
            body,
            clock.instant(),
            reaction == Reaction.TAKEN);
    calls.add(call);
    switch (reaction) {
      case TAKEN, TAKEN_WITHOUT_ANSWER -> taken.add(call);
      case TAKEN_LATE -> late.add(call);
      case REFUSED, SENT_ELSEWHERE -> {}
    }
    if (reaction.status > 0) {
      exchange.getResponseHeaders().set("Location", "/elsewhere");
      exchange.sendResponseHeaders(reaction.status, -1);
    }
    // Without an answer, this ends the connection.
    exchange.close();
  }

  private static String header(HttpExchange exchange, String name) {
    return String.valueOf(exchange.getRequestHeaders().getFirst(name));
  }

  private Reaction reaction(String path) {
    if (down.equals(path) || (!isSteady && chance.test(OFTEN))) {
      return chance.test(3) ? Reaction.SENT_ELSEWHERE : Reaction.REFUSED;
    }
    if (!isSteady && chance.test(RARE)) {
      return Reaction.TAKEN_LATE;
    }
    return !isSteady && chance.test(OFTEN) ? Reaction.TAKEN_WITHOUT_ANSWER : Reaction.TAKEN;
  }

  /** Lets the receiver of a webhook refuse everything from now on. */
  void setDown(String webhookId) {
    down = webhookId;
  }

  /** Lets no receiver be down. */
  void setUp() {
    down = NONE;
  }

  /** Lets all receivers take what comes from now on. */
  void becomeSteady() {
    setUp();
    isSteady = true;
  }

  /** Takes what came late. */
  void goOn() {
    taken.addAll(late);
    late.clear();
  }

  /** Returns all calls. */
  List<Call> calls() {
    return calls;
  }

  /** Returns the number of calls of a webhook. */
  long calls(String webhookId) {
    return calls.stream().filter(call -> call.path().equals(webhookId)).count();
  }

  /** Returns the calls that the receivers know. */
  List<Call> taken() {
    return taken;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
