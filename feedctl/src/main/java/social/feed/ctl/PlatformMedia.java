package social.feed.ctl;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Asks a running local platform, on this machine, for the folder with the bytes of its files. */
final class PlatformMedia {
  private static final String ROUTE = "/v1/dev/media";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private PlatformMedia() {}

  /**
   * Returns the folder; empty for a platform that has none, or that is older than the route.
   *
   * @param url the API of the platform
   * @throws IllegalStateException if it does not answer
   */
  static Optional<Path> folder(URI url) {
    var request = HttpRequest.newBuilder(url.resolve(ROUTE)).timeout(PATIENCE).build();
    try (var http = HttpClient.newHttpClient()) {
      var response = http.send(request, BodyHandlers.ofString());
      return switch (response.statusCode()) {
        case OK -> Optional.of(Path.of(response.body()));
        case NOT_FOUND -> Optional.empty();
        default ->
            throw new IllegalStateException(
                "The platform at %s does not say where its files are: HTTP %d"
                    .formatted(url, response.statusCode()));
      };
    } catch (IOException e) {
      throw new IllegalStateException(
          "No platform answers at " + url + ". Name its API with --url.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
