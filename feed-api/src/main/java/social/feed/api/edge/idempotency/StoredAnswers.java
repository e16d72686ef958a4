package social.feed.api.edge.idempotency;

import io.micronaut.http.HttpRequest;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import social.feed.table.kernel.id.Sha256;

/** Converts requests and responses to the form in which they are stored. */
@Singleton
final class StoredAnswers {
  private final JsonMapper json;

  StoredAnswers(JsonMapper json) {
    this.json = json;
  }

  /** Returns the JSON that is sent now and for every retry. */
  String json(Object body) {
    try {
      return json.writeValueAsString(body);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + body.getClass(), e);
    }
  }

  /** Returns a digest of method, path and body, which is equal for equal requests. */
  String fingerprint(HttpRequest<?> request, Object body) {
    return Sha256.hex(request.getMethodName() + "\n" + path(request) + "\n" + json(body));
  }

  /** Returns the path without a slash at the end, which the router ignores. */
  static String path(HttpRequest<?> request) {
    String path = request.getPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
