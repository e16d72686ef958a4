package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.UncheckedIOException;
import java.net.URI;
import org.junit.jupiter.api.Test;

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
}
