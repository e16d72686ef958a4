package social.feed.ctl.soak;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Somebody who sends a request again until it is answered, however often the platform dies. */
final class Client {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** Minutes of an unreachable platform are a failure. */
  private static final int MAX_ATTEMPTS = 3_000;

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
   * What came of a request.
   *
   * @param isRepeat whether it may have been carried out before, with its answer lost
   */
  record Answer(int status, String text, boolean isRepeat) {
    JsonNode json() {
      try {
        return JsonMapper.createDefault().readValue(text, JsonNode.class);
      } catch (IOException e) {
        throw new UncheckedIOException(text, e);
      }
    }
  }

  /** A token that outlives the platform that signed it. */
  void enter(String user) {
    var answer = until("POST", "/v1/dev/tokens", "{\"user_id\":\"" + user + "\"}", "", "");
    tokens.put(user, answer.json().get("access_token").getStringValue());
  }

  Answer get(String user, String path) {
    return until("GET", path, "", token(user), "");
  }

  Answer delete(String user, String path) {
    return until("DELETE", path, "", token(user), "");
  }

  Answer post(String user, String path, String body, String key) {
    return until("POST", path, body, token(user), key);
  }

  private String token(String user) {
    return tokens.getOrDefault(user, "");
  }

  private Answer until(String method, String path, String body, String token, String key) {
    boolean isRepeat = false;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        var answer = send(method, path, body, token, key);
        if (answer.statusCode() != UNAVAILABLE) {
          return judged(method + " " + path, answer, isRepeat);
        }
      } catch (IOException e) {
        // The platform is away, or died in the middle: nobody knows whether it was done.
        isRepeat = true;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    throw new IllegalStateException("No answer to " + method + " " + path);
  }

  private static Answer judged(String what, HttpResponse<String> answer, boolean isRepeat) {
    if (answer.statusCode() >= SERVER_ERROR || answer.statusCode() == UNAUTHORIZED) {
      throw new AssertionError(what + ": " + answer.statusCode() + " " + answer.body());
    }
    return new Answer(answer.statusCode(), answer.body(), isRepeat);
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
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
