package social.feed.ctl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends the requests that a new user is likely to send first. */
final class Rehearsal {
  private static final int FIRST_ERROR = 400;

  private final URI api;
  private final HttpClient http = HttpClient.newHttpClient();

  Rehearsal(URI api) {
    this.api = api;
  }

  /**
   * Sends all requests.
   *
   * @throws IllegalStateException if a response is an error
   */
  void run() {
    send("GET", "/health", "", "");
    send("GET", "/", "", "");
    send("GET", "/v1/dev/accounts", "", "");
    var ada = registered("ada");
    var ben = registered("ben");
    send("POST", "/v1/users/ada/follow", "", ben);
    var post = found("id", send("POST", "/v1/posts", "{\"text\":\"Hello #all @ben\"}", ada));
    send("POST", "/v1/posts/" + post + "/like", "", ben);
    send("POST", "/v1/posts/" + post + "/comments", "{\"text\":\"Hi\"}", ben);
    send("GET", "/v1/posts/" + post, "", ben);
    send("GET", "/v1/feed", "", ben);
    send("GET", "/v1/notifications", "", ada);
    send("GET", "/v1/users/ada", "", ben);
  }

  private String registered(String user) {
    var token =
        found("access_token", send("POST", "/v1/dev/tokens", "{\"user_id\":\"" + user + "\"}", ""));
    var account = "{\"handle\":\"%s\",\"display_name\":\"%s\"}".formatted(user, user);
    send("POST", "/v1/users", account, token);
    return token;
  }

  private String send(String method, String path, String body, String token) {
    var request =
        HttpRequest.newBuilder(api.resolve(path)).header("Content-Type", "application/json");
    request.method(
        method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return response(request.build());
  }

  private String response(HttpRequest request) {
    try {
      var response = http.send(request, BodyHandlers.ofString());
      if (response.statusCode() >= FIRST_ERROR) {
        throw new IllegalStateException(request + ": " + response.statusCode() + response.body());
      }
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  private static String found(String field, String json) {
    Matcher matcher = Pattern.compile("\"" + field + "\":\"([^\"]+)\"").matcher(json);
    if (!matcher.find()) {
      throw new IllegalStateException("No " + field + " in " + json);
    }
    return matcher.group(1);
  }
}
