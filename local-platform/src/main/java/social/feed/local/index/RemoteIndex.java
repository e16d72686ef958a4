package social.feed.local.index;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.streams.index.IndexUpkeep;

/**
 * The search index of a running local platform. Methods throw {@link IllegalStateException} with
 * what to do when the platform does not answer.
 */
public final class RemoteIndex implements IndexUpkeep, AutoCloseable {
  private static final String ROUTE = "/v1/dev/search/%s/%s";
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final URI url;
  private final HttpClient http = HttpClient.newHttpClient();

  private RemoteIndex(URI url) {
    this.url = url;
  }

  /**
   * Returns the index of a platform; empty if it has none.
   *
   * @param url the API of the platform
   */
  public static Optional<RemoteIndex> of(URI url) {
    var index = new RemoteIndex(url);
    try {
      var path = "states?limit=1";
      var status = index.send(EntryKind.POST, path, HttpRequest.newBuilder().GET()).status;
      if (status == OK || status == NOT_FOUND) {
        return status == OK ? Optional.of(index) : closed(index);
      }
      throw new IllegalStateException(refusal(url, status));
    } catch (RuntimeException e) {
      index.close();
      throw e;
    }
  }

  private static Optional<RemoteIndex> closed(RemoteIndex index) {
    index.close();
    return Optional.empty();
  }

  @Override
  public Alignment align(EntryKind kind, Collection<String> ids) {
    return post(kind, "alignment", ids, Alignment.class);
  }

  @Override
  public List<IndexState> states(EntryKind kind, Collection<String> ids) {
    return post(kind, "states", ids, IndexWire.States.class).items();
  }

  @Override
  public List<IndexState> statesAfter(EntryKind kind, String after, int limit) {
    var from = after.isEmpty() ? "" : "&after=" + encoded(after);
    var path = "states?limit=%d%s".formatted(limit, from);
    return call(kind, path, HttpRequest.newBuilder().GET(), IndexWire.States.class).items();
  }

  @Override
  public List<String> postsOf(String authorId) {
    var path = "of/" + encoded(authorId);
    return call(EntryKind.POST, path, HttpRequest.newBuilder().GET(), IndexWire.Ids.class).items();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private <T> T post(EntryKind kind, String path, Collection<String> ids, Class<T> type) {
    var body = BodyPublishers.ofString(IndexWire.write(new IndexWire.Ids(List.copyOf(ids))));
    return call(kind, path, HttpRequest.newBuilder().POST(body), type);
  }

  private <T> T call(EntryKind kind, String path, HttpRequest.Builder request, Class<T> type) {
    var answer = send(kind, path, request);
    if (answer.status != OK) {
      throw new IllegalStateException(refusal(url, answer.status) + ": " + answer.body);
    }
    return IndexWire.read(answer.body, type);
  }

  private static String refusal(URI url, int status) {
    return "The platform at %s does not let its search index be compared: HTTP %d"
        .formatted(url, status);
  }

  private record Answer(int status, String body) {}

  private Answer send(EntryKind kind, String path, HttpRequest.Builder request) {
    try {
      var route = ROUTE.formatted(kind.name().toLowerCase(Locale.ROOT), path);
      var response =
          http.send(
              request
                  .uri(url.resolve(route))
                  .header("Content-Type", "application/json")
                  .timeout(PATIENCE)
                  .build(),
              BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "No platform answers at "
              + url
              + ". Start it with ./feed up, or name its API with --url.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the search index was compared", e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
