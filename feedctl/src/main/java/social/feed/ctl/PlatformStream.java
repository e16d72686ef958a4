package social.feed.ctl;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Pattern;
import social.feed.ctl.graph.ImportProgress;

/**
 * A client of the stream of a running local platform.
 *
 * @param url the URL of the platform's API
 */
record PlatformStream(URI url) {
  private static final int OK = 200;
  private static final int STILL_BUSY = 202;

  /** How long the platform waits before it answers that it is busy; progress is shown as often. */
  private static final String DRAIN = "/v1/dev/drain?patience_ms=500";

  private static final String HOLD = "/v1/dev/hold?millis=10000";

  /** Much longer than the platform waits. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What the local platform says when its stream is drained. */
  private static final String DRAINED = "drained";

  private static final Pattern HANDLED = Pattern.compile("([\\d,]+) records");

  /** The beginning of what it says before: what the first lane has handled. */
  private static final Pattern PROGRESS = Pattern.compile("\\S+ [\\d,]+ records");

  /**
   * Requires a local platform, before anything is written.
   *
   * @throws IllegalStateException if there is none; the message says what to do
   */
  void requirePlatform() {
    requirePlatform("");
  }

  /**
   * As {@link #requirePlatform()}.
   *
   * @param advice what the message also says about a server that is no local platform
   */
  void requirePlatform(String advice) {
    try (var http = HttpClient.newHttpClient()) {
      requireLocal(send(http, DRAIN), advice);
    }
  }

  /**
   * Waits until everything written so far has had its effects, and shows how many records were
   * handled meanwhile.
   *
   * @throws IllegalStateException if the platform does not answer
   */
  void drain(ImportProgress progress) {
    try (var http = HttpClient.newHttpClient()) {
      var response = send(http);
      if (response.statusCode() == OK) {
        return;
      }
      try (var step = progress.step("stream", ImportProgress.UNKNOWN)) {
        long handled = handled(response.body());
        while (response.statusCode() != OK) {
          response = send(http);
          long now = Math.max(handled, handled(response.body()));
          step.advance(now - handled);
          handled = now;
        }
      }
    }
  }

  /** Holds the multiplexer for some seconds. A platform without that route ignores it. */
  void hold() {
    try (var http = HttpClient.newHttpClient()) {
      send(http, HOLD);
    }
  }

  private HttpResponse<String> send(HttpClient http) {
    var response = send(http, DRAIN);
    requireLocal(response, "");
    return response;
  }

  private void requireLocal(HttpResponse<String> response, String advice) {
    if (!isLocal(response)) {
      throw new IllegalStateException(
          "The server at %s is no local platform: HTTP %d%s. %s"
              .formatted(
                  url,
                  response.statusCode(),
                  response.statusCode() < 300 ? " with another text than that of a drain" : "",
                  advice)
              .strip());
    }
  }

  /** Other servers can have the same status, such as those that answer everything with a page. */
  private static boolean isLocal(HttpResponse<String> response) {
    return switch (response.statusCode()) {
      case OK -> response.body().equals(DRAINED);
      case STILL_BUSY -> PROGRESS.matcher(response.body()).lookingAt();
      default -> false;
    };
  }

  private HttpResponse<String> send(HttpClient http, String path) {
    try {
      var request =
          HttpRequest.newBuilder(url.resolve(path))
              .timeout(PATIENCE)
              .POST(BodyPublishers.noBody())
              .build();
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "No platform answers at " + url + ". Name its API with --url.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while the stream was draining", e);
    }
  }

  /** Returns the number of records that all lanes have handled, from the platform's text. */
  private static long handled(String progress) {
    return HANDLED
        .matcher(progress)
        .results()
        .mapToLong(lane -> Long.parseLong(lane.group(1).replace(",", "")))
        .sum();
  }
}
