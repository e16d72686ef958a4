package social.feed.api.edge.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.micronaut.http.HttpStatus;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExceptionMapperTest {
  private final ExceptionMapper mapper = new ExceptionMapper(List.of());

  private ProblemCode codeOf(Throwable cause) {
    return mapper.map(cause, HttpStatus.INTERNAL_SERVER_ERROR).code();
  }

  /** Otherwise each phone that loses its network would alert an operator. */
  @Test
  void clientThatHangsUpInTheMiddleOfABody_isNoDefect() {
    assertThat(codeOf(new EOFException("Connection closed before full body was received")))
        .isEqualTo(ProblemCode.INVALID_REQUEST);
    assertThat(codeOf(new SocketException("Connection reset")))
        .isEqualTo(ProblemCode.INVALID_REQUEST);
    assertThat(codeOf(new IOException("Disk full"))).isEqualTo(ProblemCode.INTERNAL_ERROR);
    assertThat(codeOf(new UncheckedIOException(new IOException("Disk full"))))
        .isEqualTo(ProblemCode.INTERNAL_ERROR);
  }

  @Test
  void bodyThatBreaksOffWhileItIsStored_isNoDefect_andAnotherConnectionThatBreaksIsOne() {
    var body =
        BrokenBodyException.marked(
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new EOFException("The body ended");
              }

              @Override
              public void close() throws IOException {
                throw new IOException("The rest of the body does not come");
              }
            });
    for (var broken :
        List.of(
            catchThrowableOfType(IOException.class, () -> body.read(new byte[8])),
            catchThrowableOfType(IOException.class, body::close))) {
      assertThat(codeOf(new UncheckedIOException(new IOException(broken))))
          .isEqualTo(ProblemCode.INVALID_REQUEST);
    }
    assertThat(codeOf(new UncheckedIOException(new ConnectException("refused"))))
        .isEqualTo(ProblemCode.INTERNAL_ERROR);
    assertThat(codeOf(new UncheckedIOException(new ClosedChannelException())))
        .isEqualTo(ProblemCode.INTERNAL_ERROR);
  }
}
