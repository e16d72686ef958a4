package social.feed.api.function;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers {@code GetSecretValue} as Secrets Manager does, on loopback. */
final class SecretsStandIn implements AutoCloseable {
  private static final Pattern STAGE = Pattern.compile("\"VersionStage\":\"([A-Z]+)\"");

  private final HttpServer server;

  /**
   * @param secrets the secret of each stage
   */
  SecretsStandIn(Map<String, String> secrets) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String request =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Matcher stage = STAGE.matcher(request);
            String secret = stage.find() ? secrets.get(stage.group(1)) : null;
            byte[] response =
                (secret == null
                        ? "{\"__type\":\"ResourceNotFoundException\"}"
                        : "{\"ARN\":\"a\",\"SecretString\":\"" + secret + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
            exchange.sendResponseHeaders(secret == null ? 400 : 200, response.length);
            exchange.getResponseBody().write(response);
          }
        });
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
