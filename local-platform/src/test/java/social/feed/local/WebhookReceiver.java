package social.feed.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import social.feed.testkit.Polling;

/** The server of a webhook on this machine. It keeps each call that it answers with a success. */
final class WebhookReceiver implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration BETWEEN = Duration.ofMillis(400);
  private static final String SECRET = "whsec_";
  private static final String HMAC = "HmacSHA256";

  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final AtomicInteger status = new AtomicInteger(204);
  private final HttpServer server;

  WebhookReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 10);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          int answer = status.get();
          var headers = exchange.getRequestHeaders();
          var call =
              new Call(
                  String.valueOf(headers.getFirst("webhook-id")),
                  String.valueOf(headers.getFirst("webhook-timestamp")),
                  String.valueOf(headers.getFirst("webhook-signature")),
                  new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          if (answer < 300) {
            calls.add(call);
          }
          exchange.sendResponseHeaders(answer, -1);
          exchange.close();
        });
    server.start();
  }

  /** A call, as it was received. */
  record Call(String id, String timestamp, String signature, String body) {
    JsonNode event() {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    boolean is(String type) {
      return event().path("type").asText().equals(type);
    }

    String text(String field) {
      return event().path("data").path(field).asText();
    }

    /** Returns whether the call is signed as Standard Webhooks has it, by this secret. */
    boolean isSignedBy(String secret) {
      try {
        var mac = Mac.getInstance(HMAC);
        mac.init(
            new SecretKeySpec(Base64.getDecoder().decode(secret.substring(SECRET.length())), HMAC));
        var signed = (id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8);
        return signature.equals("v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed)));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** Answers calls with this status from now on. */
  void answer(int newStatus) {
    status.set(newStatus);
  }

  List<Call> calls() {
    return List.copyOf(calls);
  }

  /** Returns the calls with events of a type. */
  List<Call> calls(String type) {
    return calls.stream().filter(call -> call.is(type)).toList();
  }

  boolean hasReceived(String type, Predicate<Call> wanted) {
    return calls(type).stream().anyMatch(wanted);
  }

  void forgetCalls() {
    calls.clear();
  }

  /** Creates a webhook with this address and returns the response. */
  Caller.Answer createdBy(Caller operator, String... eventTypes) {
    return operator.post(
        "/v1/webhooks",
        "{\"url\":\"%s\",\"event_types\":[\"%s\"]}"
            .formatted(address(), String.join("\",\"", eventTypes)));
  }

  /**
   * Repeats an action until it has an event. A webhook applies a second or two after it is created.
   */
  static void repeatUntil(Runnable action, BooleanSupplier isThere) {
    var next = new AtomicLong(System.nanoTime());
    Polling.until(
        () -> {
          if (System.nanoTime() >= next.get()) {
            action.run();
            next.addAndGet(BETWEEN.toNanos());
          }
          return isThere.getAsBoolean();
        });
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
