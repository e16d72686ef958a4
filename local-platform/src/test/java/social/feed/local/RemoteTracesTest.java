package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.table.erasure.ErasureTraces;

/** What a process of the multiplexer asks the one that has the index. */
class RemoteTracesTest {
  @Test
  void account_isAskedForInTheOtherProcess() {
    try (var calls = RemoteTraces.serve("ann"::equals)) {
      var traces = RemoteTraces.at(calls.address());

      assertThat(traces.areLeft("ann")).isTrue();
      assertThat(traces.areLeft("bob")).isFalse();
    }
  }

  /** As an index, which is refreshed once for each part. */
  @Test
  void accountsOfOnePart_shareTheirWork() {
    var parts = new AtomicInteger();
    var counting =
        new ErasureTraces() {
          @Override
          public boolean areLeft(String userId) {
            return ofPart().areLeft(userId);
          }

          @Override
          public ErasureTraces ofPart() {
            parts.incrementAndGet();
            return "a b"::equals;
          }
        };
    try (var calls = RemoteTraces.serve(counting)) {
      var traces = RemoteTraces.at(calls.address());
      var first = traces.ofPart();
      assertThat(first.areLeft("a b")).isTrue();
      assertThat(first.areLeft("bob")).isFalse();
      assertThat(parts).hasValue(1);

      assertThat(traces.ofPart().areLeft("a b")).isTrue();
      assertThat(parts).hasValue(2);

      assertThat(first.areLeft("bob")).as("an earlier part").isFalse();
      assertThat(parts).hasValue(3);
    }
  }

  /** The handler takes a failure for entries that may be left. */
  @Test
  void failureThere_isAFailureHere() {
    try (var calls =
        RemoteTraces.serve(
            _ -> {
              throw new IllegalStateException("The index is closed");
            })) {
      var traces = RemoteTraces.at(calls.address());

      assertThatExceptionOfType(UncheckedIOException.class)
          .isThrownBy(() -> traces.areLeft("ann"))
          .withMessageContaining("The index is closed");
    }
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> RemoteTraces.at(URI.create("http://127.0.0.1:1")).areLeft("ann"));
  }

  /** A page of another site can make a browser send a request, but not with any headers. */
  @ParameterizedTest
  @CsvSource({
    "'', 403",
    "Feed-Call, 200",
    "Feed-Call Origin, 403",
    "Feed-Call Sec-Fetch-Site, 403"
  })
  void requestOfAWebPage_isRefused(String headers, int status) throws Exception {
    var asked = new AtomicInteger();
    try (var calls = RemoteTraces.serve(_ -> asked.incrementAndGet() > 0);
        var browser = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(calls.address().resolve("/traces"))
              .POST(BodyPublishers.ofString("part ann"));
      for (var header : headers.split(" ", -1)) {
        if (!header.isEmpty()) {
          var _ = request.header(header, "http://page.example");
        }
      }
      assertThat(browser.send(request.build(), BodyHandlers.discarding()).statusCode())
          .isEqualTo(status);
      assertThat(asked).hasValue(status == 200 ? 1 : 0);
    }
  }
}
