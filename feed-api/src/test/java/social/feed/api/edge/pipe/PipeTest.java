package social.feed.api.edge.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

class PipeTest {
  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration IN_TIME = Duration.ofSeconds(30);
  private static final byte[] EVENT = "event".getBytes(StandardCharsets.UTF_8);

  private final Pipe pipe = new Pipe();
  private final Connection connection = new Connection();

  /** Requests nothing by itself. */
  private static final class Connection extends BaseSubscriber<byte[]> {
    private final List<byte[]> taken = new ArrayList<>();
    private boolean isBroken;

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      // A test requests the pieces.
    }

    @Override
    protected void hookOnNext(byte[] event) {
      taken.add(event);
    }

    @Override
    protected void hookOnError(Throwable failure) {
      isBroken = failure instanceof SlowClientException;
    }
  }

  @Test
  void piece_thatIsNotRequested_isNotPassedOn() throws InterruptedException {
    assertThat(pipe.send(EVENT, AT_ONCE)).as("without a connection").isFalse();
    pipe.pieces().subscribe(connection);
    assertThat(pipe.send(EVENT, AT_ONCE)).isFalse();

    connection.request(1);

    assertThat(pipe.send(EVENT, IN_TIME)).isTrue();
    assertThat(pipe.send(EVENT, AT_ONCE)).isFalse();
    assertThat(connection.taken).containsExactly(EVENT);
  }

  @Test
  void connection_thatRequestsEverything_isSentFewPiecesAhead() throws InterruptedException {
    pipe.pieces().subscribe(connection);
    connection.requestUnbounded();

    for (int i = 0; i < Pipe.AHEAD_MAX; i++) {
      assertThat(pipe.send(EVENT, IN_TIME)).isTrue();
    }
    assertThat(pipe.send(EVENT, AT_ONCE)).isFalse();
  }

  @Test
  void client_thatIsHungUpOn_losesTheConnectionAtOnce() throws InterruptedException {
    pipe.pieces().subscribe(connection);
    connection.request(1);
    assertThat(pipe.send(EVENT, IN_TIME)).isTrue();

    pipe.hangUp();

    assertThat(connection.isBroken).isTrue();
  }

  @Test
  void pipe_whoseConnectionIsGone_takesNothingAndWaitsForNothing() throws InterruptedException {
    pipe.pieces().subscribe(connection);
    connection.request(1);

    connection.cancel();

    assertThat(pipe.isOpen()).isFalse();
    pipe.rest(IN_TIME);
    assertThat(pipe.send(EVENT, IN_TIME)).isFalse();
    assertThat(pipe.send(EVENT, AT_ONCE)).isFalse();
  }
}
