package social.feed.api.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.testkit.SseClient;

/** Sends requests to the running server as one caller, with an independent HTTP client. */
public final class Api {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final URI server;
  private final List<String> headers;

  private Api(URI server, List<String> headers) {
    this.server = server;
    this.headers = headers;
  }

  public static Api anonymous(URI server) {
    return new Api(server, List.of());
  }

  /** Returns a client with a token of the development issuer. */
  public Api as(String userId) {
    return withToken(tokenOf(userId));
  }

  /** A token of the development issuer. */
  public String tokenOf(String userId) {
    return post("/v1/dev/tokens", "{\"user_id\":\"" + userId + "\"}").at("access_token");
  }

  /** Returns a client with a token of the development issuer that has the scope of operators. */
  public Api asOperator(String userId) {
    String request = "{\"user_id\":\"%s\",\"scopes\":[\"feed:operate\"]}".formatted(userId);
    return withToken(post("/v1/dev/tokens", request).at("access_token"));
  }

  public Api withToken(String token) {
    return with("Authorization", "Bearer " + token);
  }

  /** Returns a client with one more header. */
  public Api with(String name, String value) {
    List<String> more = new ArrayList<>(headers);
    more.addAll(List.of(name, value));
    return new Api(server, more);
  }

  public Answer get(String path) {
    return send("GET", path, null);
  }

  public Answer delete(String path) {
    return send("DELETE", path, null);
  }

  public Answer post(String path) {
    return send("POST", path, null);
  }

  public Answer put(String path) {
    return send("PUT", path, null);
  }

  public Answer put(String path, String json) {
    return with("Content-Type", "application/json").send("PUT", path, json);
  }

  /** Posts JSON. */
  public Answer post(String path, String json) {
    return with("Content-Type", "application/json").send("POST", path, json);
  }

  public Answer patch(String path, String json) {
    return with("Content-Type", "application/json").send("PATCH", path, json);
  }

  /** Sends the body unchanged, without a default content type. */
  public Answer send(String method, String path, @Nullable String body) {
    BodyPublisher publisher =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path)).method(method, publisher);
    if (!headers.isEmpty()) {
      request.headers(headers.toArray(String[]::new));
    }
    try {
      return new Answer(CLIENT.send(request.build(), Api::body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A stream does not end, so its body is not read. */
  private static BodySubscriber<String> body(ResponseInfo head) {
    boolean isStream =
        head.headers()
            .firstValue("Content-Type")
            .filter(type -> type.startsWith("text/event-stream"))
            .isPresent();
    return isStream ? new UnreadPages() : BodySubscribers.ofString(StandardCharsets.UTF_8);
  }

  /**
   * Opens a stream of events. Where a response ends and says when to reconnect, the client does so.
   */
  public SseClient stream(String path) {
    return new SseClient(opened(path), lastId -> with("Last-Event-ID", lastId).opened(path));
  }

  /** Returns the whole text of a stream whose response ends by itself. */
  public String whole(String path) {
    try (InputStream body = opened(path).body()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpResponse<InputStream> opened(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path));
    Map<String, String> last = new LinkedHashMap<>();
    for (int i = 0; i < headers.size(); i += 2) {
      last.put(headers.get(i), headers.get(i + 1));
    }
    last.forEach(request::header);
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
