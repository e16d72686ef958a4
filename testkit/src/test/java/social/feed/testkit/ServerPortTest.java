package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerPortTest {
  private final List<ServerSocket> open = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (var socket : open) {
      socket.close();
    }
  }

  private ServerSocket listen(int port) {
    try {
      open.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
      return open.getLast();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Another process takes the port before the server does. */
  private ServerSocket afterAnother(int port, int until) {
    if (open.size() < until) {
      listen(port);
    }
    return listen(port);
  }

  @Test
  void port_takenMeanwhile_isReplaced() {
    var server = ServerPort.start(port -> afterAnother(port, 2));

    assertThat(open).hasSize(3).last().isEqualTo(server);
  }

  @Test
  void ports_allTakenMeanwhile_fail() {
    assertThatThrownBy(() -> ServerPort.start(port -> afterAnother(port, 99)))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(open).hasSize(5);
  }

  @Test
  void failure_ofAnotherKind_isNotRepeated() {
    var ports = new ArrayList<Integer>();

    assertThatThrownBy(
            () ->
                ServerPort.start(
                    port -> {
                      ports.add(port);
                      throw new IllegalStateException("it is broken");
                    }))
        .hasMessage("it is broken");
    assertThat(ports).hasSize(1);
  }

  @Test
  void port_isNoneOfThoseForOutgoingConnections() {
    for (int i = 0; i < 100; i++) {
      assertThat(ServerPort.<Integer>start(port -> port)).isBetween(15_000, 31_999);
    }
  }
}
