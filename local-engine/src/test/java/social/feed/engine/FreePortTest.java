package social.feed.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test at a port survives another process that takes the port, and no other failure. */
class FreePortTest {
  private final List<Integer> ports = new ArrayList<>();

  private void takenUntil(int attempt, int port) {
    ports.add(port);
    if (ports.size() < attempt) {
      throw new PortTakenException("The server", port, new BindException("Address in use"));
    }
  }

  @Test
  void start_atATakenPort_isRepeatedAtAnother() throws IOException {
    FreePort.start(port -> takenUntil(3, port));

    assertThat(ports).hasSize(3).allMatch(port -> port > 0);
  }

  @Test
  void start_atFiveTakenPorts_fails() {
    assertThatThrownBy(() -> FreePort.start(port -> takenUntil(99, port)))
        .isInstanceOf(PortTakenException.class);
    assertThat(ports).hasSize(5);
  }

  @Test
  void failureOfTheTest_isNotRepeated() {
    assertThatThrownBy(
            () ->
                FreePort.start(
                    port -> {
                      ports.add(port);
                      throw new AssertionError("It answers at another port");
                    }))
        .isInstanceOf(AssertionError.class);
    assertThat(ports).hasSize(1);
  }
}
