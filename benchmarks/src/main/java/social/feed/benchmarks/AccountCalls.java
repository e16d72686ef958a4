package social.feed.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** Sends requests of accounts to a platform, with development tokens. */
final class AccountCalls implements AutoCloseable {
  private static final Pattern TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");
  private static final int TOKEN_ATTEMPTS = 100;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> tokens = new ConcurrentHashMap<>();
  private final URI api;
  private final Duration betweenTokens;

  /**
   * @param betweenTokens the pause after a refused request for a token
   */
  AccountCalls(URI api, Duration betweenTokens) {
    this.api = api;
    this.betweenTokens = betweenTokens;
  }

  HttpResponse<String> post(String caller, String path, String body) {
    var authorization = "Bearer " + tokenOf(caller);
    return send(request(path, body).header("Authorization", authorization).build());
  }

  String tokenOf(String caller) {
    return tokens.computeIfAbsent(
        caller,
        id -> {
          var request = request("/v1/dev/tokens", "{\"user_id\":\"%s\"}".formatted(id)).build();
          var answer = send(request);
          for (int attempt = 0; answer.statusCode() == 429 && attempt < TOKEN_ATTEMPTS; attempt++) {
            LockSupport.parkNanos(betweenTokens.toNanos());
            answer = send(request);
          }
          return found(TOKEN, answer);
        });
  }

  private HttpRequest.Builder request(String path, String body) {
    return HttpRequest.newBuilder(api.resolve(path))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Returns a part of an answer, which is a success. */
  static String found(Pattern field, HttpResponse<String> answer) {
    var matcher = field.matcher(answer.body());
    if (answer.statusCode() >= 300 || !matcher.find()) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
    return matcher.group(1);
  }

  @Override
  public void close() {
    http.close();
  }
}
