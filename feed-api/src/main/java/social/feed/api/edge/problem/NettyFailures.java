package social.feed.api.edge.problem;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The errors that Netty raises while it parses a request. */
@Singleton
@Requires(classes = NettyHttpRequest.class)
final class NettyFailures implements ServerFailures {

  @Override
  public Optional<Throwable> parseFailure(HttpRequest<?> request) {
    return request instanceof NettyHttpRequest<?> netty
        ? Optional.ofNullable(netty.getNativeRequest().decoderResult().cause())
        : Optional.empty();
  }

  @Override
  public Optional<ProblemCode> codeOf(Throwable cause) {
    return switch (cause) {
      case TooLongHttpLineException _ -> Optional.of(ProblemCode.ADDRESS_TOO_LONG);
      case TooLongHttpHeaderException _ -> Optional.of(ProblemCode.HEADERS_TOO_LARGE);
      default -> Optional.empty();
    };
  }
}
