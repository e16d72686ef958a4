package social.feed.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import javax.imageio.ImageIO;
import social.feed.table.kernel.id.Sha256;
import social.feed.testkit.PagingLaw;
import social.feed.testkit.SseClient;

/**
 * A caller of the API, over HTTP like any client.
 *
 * @param api address of the API
 * @param id the caller's user id
 * @param token the caller's token, empty for none
 */
record Caller(URI api, String id, String token) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** A response: the status, and the body if there is one. */
  record Answer(int status, JsonNode body) {
    String text(String field) {
      return body.path(field).asText();
    }
  }

  /** Returns a caller with a token and an account. */
  static Caller registered(URI api, String id) {
    var caller = withToken(api, id);
    caller.post("/v1/users", "{\"handle\":\"%1$s\",\"display_name\":\"%1$s\"}".formatted(id));
    return caller;
  }

  static Caller withToken(URI api, String id) {
    var answer =
        new Caller(api, id, "").post("/v1/dev/tokens", "{\"user_id\":\"%s\"}".formatted(id));
    return new Caller(api, id, answer.text("access_token"));
  }

  /** Returns a caller whose token has the scope of operators. It needs no account. */
  static Caller operator(URI api) {
    var token = "{\"user_id\":\"operator\",\"scopes\":[\"feed:operate\"]}";
    var answer = new Caller(api, "operator", "").post("/v1/dev/tokens", token);
    return new Caller(api, "operator", answer.text("access_token"));
  }

  Answer get(String path) {
    return send(HttpRequest.newBuilder(api.resolve(path)).GET());
  }

  Answer post(String path, String body) {
    return send(HttpRequest.newBuilder(api.resolve(path)).POST(BodyPublishers.ofString(body)));
  }

  Answer post(String path) {
    return send(HttpRequest.newBuilder(api.resolve(path)).POST(BodyPublishers.noBody()));
  }

  Answer patch(String path, String body) {
    return send(
        HttpRequest.newBuilder(api.resolve(path)).method("PATCH", BodyPublishers.ofString(body)));
  }

  Answer put(String path) {
    return send(HttpRequest.newBuilder(api.resolve(path)).PUT(BodyPublishers.noBody()));
  }

  Answer put(String path, String body) {
    return send(HttpRequest.newBuilder(api.resolve(path)).PUT(BodyPublishers.ofString(body)));
  }

  Answer delete(String path) {
    return send(HttpRequest.newBuilder(api.resolve(path)).DELETE());
  }

  /** Creates a post and returns its id. */
  String writes(String text) {
    return post("/v1/posts", "{\"text\":\"%s\"}".formatted(text)).text("id");
  }

  /** Uploads a picture of 40 by 30 pixels and returns the file. */
  JsonNode uploadsPicture() {
    return post("/v1/media/" + sendsPicture() + "/complete").body();
  }

  /** Sends the bytes of such a picture without completing the upload, and returns its id. */
  String sendsPicture() {
    var picture = picture();
    var announced =
        post(
            "/v1/media",
            "{\"content_type\":\"image/png\",\"bytes\":%d,\"sha256\":\"%s\"}"
                .formatted(picture.length, Sha256.hex(picture)));
    var sent = withoutToken("PUT", announced.text("address"), BodyPublishers.ofByteArray(picture));
    if (sent != 204) {
      throw new AssertionError("The upload is answered by " + sent);
    }
    return announced.text("id");
  }

  private static byte[] picture() {
    var bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(new BufferedImage(40, 30, BufferedImage.TYPE_INT_RGB), "png", bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Gets an address without the token, as a browser gets a picture, and returns the status. */
  int fetches(JsonNode address) {
    return withoutToken("GET", address.asText(), BodyPublishers.noBody());
  }

  private int withoutToken(String method, String address, BodyPublisher body) {
    var request = HttpRequest.newBuilder(api.resolve(address)).method(method, body).build();
    try {
      return HTTP.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  void follows(Caller other) {
    post("/v1/users/" + other.id + "/follow");
  }

  /** Returns one field of every item of a list, which is read in pages of this size. */
  List<String> all(String path, String field, int size) {
    var all = new ArrayList<String>();
    var cursors = new HashSet<String>();
    var cursor = "";
    do {
      PagingLaw.continuesOnce(cursors, cursor);
      var page = get(path + (path.contains("?") ? "&" : "?") + "limit=" + size + cursor).body();
      page.path("items").forEach(item -> all.add(item.path(field).asText()));
      cursor = page.has("next_cursor") ? "&cursor=" + page.path("next_cursor").asText() : "";
    } while (!cursor.isEmpty());
    return all;
  }

  /** Opens the caller's stream of events. */
  SseClient stream() {
    return open(HttpRequest.newBuilder(api.resolve("/v1/stream")));
  }

  /** Opens the stream as a client that reconnects. */
  SseClient stream(String lastId) {
    return open(HttpRequest.newBuilder(api.resolve("/v1/stream")).header("Last-Event-ID", lastId));
  }

  private SseClient open(HttpRequest.Builder request) {
    request.header("Authorization", "Bearer " + token);
    try {
      return new SseClient(HTTP.send(request.build(), BodyHandlers.ofInputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Answer send(HttpRequest.Builder request) {
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    request.header("Content-Type", "application/json");
    try {
      var response = HTTP.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), JSON.readTree(response.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
