package social.feed.ctl;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import social.feed.local.MediaFolderRoute;

/** Asks a running local platform, on this machine, for the folder with the bytes of its files. */
final class PlatformMedia {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private PlatformMedia() {}

  /**
   * A folder of a platform.
   *
   * @param table the endpoint of the table with the rows of its files; empty for a platform that
   *     does not say it
   */
  record Folder(Path path, Optional<URI> table) {
    /**
     * Returns whether the table may be that of the folder. The engine of a platform listens on this
     * machine only, so its port says which one it is.
     */
    boolean isOf(URI endpoint) {
      return table.map(URI::getPort).filter(port -> port != endpoint.getPort()).isEmpty();
    }
  }

  /**
   * Returns the folder of the platform that has a table.
   *
   * @param url the API of the platform
   * @param table the endpoint of the table
   * @throws IllegalStateException if the platform does not answer, or has another table
   */
  static Optional<Folder> folder(URI url, URI table) {
    var known = folder(url);
    known
        .filter(folder -> !folder.isOf(table))
        .ifPresent(
            folder -> {
              throw new IllegalStateException(
                  "The platform at %s has its table at %s, not at %s. Name one platform with --endpoint and --url."
                      .formatted(url, folder.table().orElseThrow(), table));
            });
    return known;
  }

  /**
   * Returns the folder; empty for a platform that has none, or that is older than the route.
   *
   * @param url the API of the platform
   * @throws IllegalStateException if it does not answer
   */
  static Optional<Folder> folder(URI url) {
    var request =
        HttpRequest.newBuilder(url.resolve(MediaFolderRoute.PATH)).timeout(PATIENCE).build();
    try (var http = HttpClient.newHttpClient()) {
      var response = http.send(request, BodyHandlers.ofString());
      return switch (response.statusCode()) {
        case OK ->
            Optional.of(
                new Folder(
                    Path.of(response.body()),
                    response.headers().firstValue(MediaFolderRoute.TABLE).map(URI::create)));
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
