package social.feed.ctl;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * The stream of a running local platform, as far as others may ask about it.
 *
 * @param url of the platform's API
 */
record PlatformStream(URI url) {
  private static final int OK = 200;
  private static final int STILL_BUSY = 202;

  /** Longer than the platform waits before it says that it is still busy. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Waits until everything written so far has had its effects, and says how far it is.
   *
   * @throws IllegalStateException when the platform cannot be asked
   */
  void drain(PrintWriter out) {
    try (var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(url.resolve("/v1/dev/drain"))
              .timeout(PATIENCE)
              .POST(BodyPublishers.noBody())
              .build();
      while (true) {
        var response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() == OK) {
          return;
        }
        if (response.statusCode() != STILL_BUSY) {
          throw new IllegalStateException(
              "The platform at " + url + " did not drain its stream: " + response.body());
        }
        out.println("The multiplexer is catching up: " + response.body());
        out.flush();
      }
    } catch (IOException e) {
      throw new IllegalStateException(
          "No platform answers at " + url + ". Name its API with --url.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the stream was draining", e);
    }
  }
}
