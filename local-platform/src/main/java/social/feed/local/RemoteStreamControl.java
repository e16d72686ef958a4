package social.feed.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Controls the event source of another process, for an API in a process of its own.
 *
 * @param address where the other process serves its event source
 */
record RemoteStreamControl(URI address) implements StreamControl {
  private static final String HOLD = "hold";
  private static final String DRAIN = "drain";

  /** Serves the event source of this process. */
  static LoopbackCalls serve(StreamControl stream) {
    return LoopbackCalls.serve(
        0,
        Map.of(
            HOLD,
            millis -> {
              stream.hold(millis(millis));
              return "";
            },
            DRAIN,
            millis -> stream.drain(millis(millis)).orElse("")));
  }

  private static Duration millis(String text) {
    return StreamControl.bounded(Long.parseLong(text));
  }

  @Override
  public void hold(Duration time) {
    var _ = call(HOLD, time);
  }

  @Override
  public Optional<String> drain(Duration patience) {
    return Optional.of(call(DRAIN, patience)).filter(progress -> !progress.isEmpty());
  }

  private String call(String name, Duration time) {
    try {
      return LoopbackCalls.call(address, name, Long.toString(time.toMillis()));
    } catch (IOException e) {
      throw new UncheckedIOException("The process of the event source does not answer", e);
    }
  }
}
