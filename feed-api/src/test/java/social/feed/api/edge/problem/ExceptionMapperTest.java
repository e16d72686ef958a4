package social.feed.api.edge.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.HttpStatus;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class ExceptionMapperTest {
  private final ExceptionMapper diagnostician = new ExceptionMapper();

  private ProblemCode codeOf(Throwable cause) {
    return diagnostician.diagnose(cause, HttpStatus.INTERNAL_SERVER_ERROR).code();
  }

  /** Operators would be woken by each phone that loses its network. */
  @Test
  void clientThatHangsUpInTheMiddleOfABody_isNoDefect() {
    assertThat(codeOf(new EOFException("Connection closed before full body was received")))
        .isEqualTo(ProblemCode.INVALID_REQUEST);
    assertThat(codeOf(new SocketException("Connection reset")))
        .isEqualTo(ProblemCode.INVALID_REQUEST);
    assertThat(codeOf(new IOException("Disk full"))).isEqualTo(ProblemCode.INTERNAL_ERROR);
  }
}
