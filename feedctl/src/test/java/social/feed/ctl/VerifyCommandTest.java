package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class VerifyCommandTest {
  /** A wait that ended early would let a repair precede the records that it waits for. */
  @Test
  void waitForTheStream_thatIsInterrupted_fails() {
    Thread.currentThread().interrupt();

    assertThatIllegalStateException()
        .isThrownBy(new VerifyCommand.FixedWait(Duration.ofMinutes(1))::run);

    assertThat(Thread.interrupted()).isTrue();
  }
}
