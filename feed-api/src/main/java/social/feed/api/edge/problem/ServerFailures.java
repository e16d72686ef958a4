package social.feed.api.edge.problem;

import io.micronaut.http.HttpRequest;
import java.util.Optional;

/**
 * The errors that only one kind of server raises. The API also runs where that server is missing,
 * so no other class may name its types.
 */
interface ServerFailures {
  /** Returns why a request could not be parsed. The framework reports only that it was not. */
  Optional<Throwable> parseFailure(HttpRequest<?> request);

  /** Returns the code of an error of the server; empty for all other errors. */
  Optional<ProblemCode> codeOf(Throwable cause);
}
