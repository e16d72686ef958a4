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
 * The stream of a running local platform, as far as others may ask about it.
 *
 * @param url of the platform's API
 */
record PlatformStream(URI url) {
  private static final int OK = 200;
  private static final int STILL_BUSY = 202;

  /** How long the platform waits before it says that it is still busy: the line moves as often. */
  private static final String DRAIN = "/v1/dev/drain?patience_ms=500";

  private static final String HOLD = "/v1/dev/hold?millis=10000";

  /** Longer than that by far. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Pattern HANDLED = Pattern.compile("([\\d,]+) records");

  /**
   * Asks whether there is a local platform, before anything is begun.
   *
   * @throws IllegalStateException when there is none, with a remedy
   */
  void requirePlatform() {
    try (var http = HttpClient.newHttpClient()) {
      ask(http);
    }
  }

  /**
   * Waits until everything written so far has had its effects, and shows how many records were
   * handled meanwhile.
   *
   * @throws IllegalStateException when the platform cannot be asked
   */
  void drain(ImportProgress progress) {
    try (var http = HttpClient.newHttpClient()) {
      var answer = ask(http);
      if (answer.statusCode() == OK) {
        return;
      }
      try (var step = progress.step("stream", ImportProgress.UNKNOWN)) {
        long handled = handled(answer.body());
        while (answer.statusCode() != OK) {
          answer = ask(http);
          long now = Math.max(handled, handled(answer.body()));
          step.advance(now - handled);
          handled = now;
        }
      }
    }
  }

  /** Holds the multiplexer for some seconds; a platform that cannot is as good without. */
  void hold() {
    try (var http = HttpClient.newHttpClient()) {
      ask(http, HOLD);
    }
  }

  private HttpResponse<String> ask(HttpClient http) {
    var answer = ask(http, DRAIN);
    if (answer.statusCode() != OK && answer.statusCode() != STILL_BUSY) {
      throw new IllegalStateException(
          "What answers at " + url + " is no local platform: HTTP " + answer.statusCode());
    }
    return answer;
  }

  private HttpResponse<String> ask(HttpClient http, String path) {
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

  /** How many records the lanes have handled together, as the platform says it. */
  private static long handled(String progress) {
    return HANDLED
        .matcher(progress)
        .results()
        .mapToLong(lane -> Long.parseLong(lane.group(1).replace(",", "")))
        .sum();
  }
}
