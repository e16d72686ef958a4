package social.feed.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import social.feed.event.webhook.WebhookSecret;

/** {@code ./feed listen}: receives the calls of webhooks on this machine and prints them. */
@Command(
    name = "listen",
    description = {
      "Receives the calls of webhooks at http://127.0.0.1:PORT/ and prints each: whether its"
          + " signature is valid, the type and the entity of its event, and the event. Ctrl-C ends"
          + " it.",
      "Answers 204, and 401 for a call without a valid signature if --secret is given."
    },
    mixinStandardHelpOptions = true)
final class ListenCommand implements Callable<Integer> {
  private static final int PORT_MAX = 65_535;
  private static final int BODY_MAX = 1 << 20;
  private static final int WAITING = 50;
  private static final int ACCEPTED = 204;
  private static final int UNSIGNED = 401;
  private static final int TOO_LARGE = 413;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Spec private CommandSpec spec;

  @Option(
      names = "--port",
      defaultValue = "9000",
      description = "port on this machine, 0 for any free one (default: ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--secret",
      description = "secret of the webhook, as it was returned when it was created: whsec_...")
  private @Nullable String secret;

  @Override
  public Integer call() throws IOException, InterruptedException {
    var command = spec.commandLine();
    if (port < 0 || port > PORT_MAX) {
      throw new ParameterException(command, "--port must be 0 to " + PORT_MAX + ", not " + port);
    }
    var server = server(secret());
    try {
      print("Listening at http://127.0.0.1:" + server.getAddress().getPort() + "/");
      new CountDownLatch(1).await();
    } finally {
      server.stop(0);
    }
    return 0;
  }

  private Optional<WebhookSecret> secret() {
    try {
      return Optional.ofNullable(secret).map(WebhookSecret::of);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--secret: " + e.getMessage(), e);
    }
  }

  private HttpServer server(Optional<WebhookSecret> key) throws IOException {
    HttpServer server;
    try {
      server =
          HttpServer.create(
              new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), WAITING);
    } catch (BindException e) {
      throw new IllegalStateException(
          "Port " + port + " is taken. Name another one with --port.", e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> answer(exchange, key));
    server.start();
    return server;
  }

  private void answer(HttpExchange exchange, Optional<WebhookSecret> key) throws IOException {
    try (exchange) {
      var bytes = exchange.getRequestBody().readNBytes(BODY_MAX + 1);
      if (bytes.length > BODY_MAX) {
        exchange.sendResponseHeaders(TOO_LARGE, -1);
        return;
      }
      var body = new String(bytes, StandardCharsets.UTF_8);
      var event = event(body);
      boolean isRefused =
          key.isPresent() && !hasSigned(key.get(), exchange.getRequestHeaders(), body);
      print(
          "%s %s %s%n%s"
              .formatted(
                  key.isEmpty() ? "unchecked" : isRefused ? "INVALID" : "valid",
                  printable(event.path("type").asText("-")),
                  printable(event.path("entity").asText("-")),
                  printable(body)));
      exchange.sendResponseHeaders(isRefused ? UNSIGNED : ACCEPTED, -1);
    }
  }

  private static boolean hasSigned(WebhookSecret key, Headers headers, String body) {
    var id = headers.getFirst("webhook-id");
    var timestamp = headers.getFirst("webhook-timestamp");
    var signatures = headers.getFirst("webhook-signature");
    if (id == null || timestamp == null || signatures == null) {
      return false;
    }
    try {
      return key.hasSigned(id, Instant.ofEpochSecond(Long.parseLong(timestamp)), body, signatures);
    } catch (NumberFormatException | DateTimeException e) {
      return false;
    }
  }

  private static JsonNode event(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      return JSON.createObjectNode();
    }
  }

  /** Anyone on this machine can call, and control characters would reach the terminal. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cc}", " ");
  }

  private synchronized void print(String text) {
    var out = spec.commandLine().getOut();
    out.println(text);
    out.flush();
  }
}
