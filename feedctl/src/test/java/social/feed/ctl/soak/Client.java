package social.feed.ctl.soak;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that retries each request until the platform answers, across any number of kills. Each
 * attempt goes to the next process of the API.
 */
final class Client {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** The test fails if the platform is unreachable for minutes. */
  private static final int MAX_ATTEMPTS = 3_000;

  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int SERVER_ERROR = 500;
  private static final int UNAVAILABLE = 503;
  private static final int UNAUTHORIZED = 401;

  private final KilledPlatform platform;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> tokens = new ConcurrentHashMap<>();

  Client(KilledPlatform platform) {
    this.platform = platform;
  }

  /**
   * The response to a request.
   *
   * @param isRepeat whether an earlier attempt may have been executed, with its response lost
   */
  record Response(int status, String text, boolean isRepeat) {
    JsonNode json() {
      try {
        return JsonMapper.createDefault().readValue(text, JsonNode.class);
      } catch (IOException e) {
        throw new UncheckedIOException(text, e);
      }
    }
  }

  /** Gets a token, which stays valid after the platform restarts. */
  void signIn(String user) {
    var response = until("POST", "/v1/dev/tokens", "{\"user_id\":\"" + user + "\"}", "", "");
    tokens.put(user, response.json().get("access_token").getStringValue());
  }

  /** Signs in a user and creates the account. */
  void register(String user) {
    signIn(user);
    var body = "{\"handle\":\"%s_x\",\"display_name\":\"%s\"}".formatted(user, user);
    var response = post(user, "/v1/users", body, "");
    if (response.status() != OK && response.status() != CREATED) {
      throw new AssertionError(response.status() + " " + response.text());
    }
  }

  /** Lets a user follow another one, which the ledger notes. */
  void follow(Ledger ledger, String user, String other) {
    post(user, "/v1/users/" + other + "/follow", "", "");
    ledger.followed(user, other);
  }

  Response get(String user, String path) {
    return until("GET", path, "", token(user), "");
  }

  Response delete(String user, String path) {
    return until("DELETE", path, "", token(user), "");
  }

  Response post(String user, String path, String body, String key) {
    return until("POST", path, body, token(user), key);
  }

  /**
   * Opens the stream of a user, without any retry.
   *
   * @param api the process of the API
   * @param lastId the id to resume from, empty for a new client
   */
  HttpResponse<InputStream> stream(String user, URI api, String lastId) throws IOException {
    var request =
        HttpRequest.newBuilder(api.resolve("/v1/stream"))
            .header("Authorization", "Bearer " + token(user));
    if (!lastId.isEmpty()) {
      request.header("Last-Event-ID", lastId);
    }
    return sent(request.build(), BodyHandlers.ofInputStream());
  }

  /** Returns the address of a process of the API, which is selected by any number. */
  URI api(int choice) {
    return platform.api(choice);
  }

  private String token(String user) {
    return tokens.getOrDefault(user, "");
  }

  private Response until(String method, String path, String body, String token, String key) {
    boolean isRepeat = false;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        var response = send(method, path, body, token, key);
        if (response.statusCode() != UNAVAILABLE) {
          return checked(method + " " + path, response, isRepeat);
        }
      } catch (IOException e) {
        // The platform is down, or died during the request: it may have been executed.
        isRepeat = true;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    throw new IllegalStateException("No response to " + method + " " + path);
  }

  private static Response checked(String what, HttpResponse<String> response, boolean isRepeat) {
    if (response.statusCode() >= SERVER_ERROR || response.statusCode() == UNAUTHORIZED) {
      throw new AssertionError(what + ": " + response.statusCode() + " " + response.body());
    }
    return new Response(response.statusCode(), response.body(), isRepeat);
  }

  private HttpResponse<String> send(
      String method, String path, String body, String token, String key) throws IOException {
    var request =
        HttpRequest.newBuilder(platform.api().resolve(path))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    if (!key.isEmpty()) {
      request.header("Idempotency-Key", key);
    }
    return sent(request.build(), BodyHandlers.ofString());
  }

  private <T> HttpResponse<T> sent(HttpRequest request, BodyHandler<T> body) throws IOException {
    try {
      return http.send(request, body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
