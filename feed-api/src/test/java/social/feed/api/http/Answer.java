package social.feed.api.http;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.Optional;

/** A response of the server, parsed without the server's own records. */
public record Answer(HttpResponse<String> response) {

  public int status() {
    return response.statusCode();
  }

  public String text() {
    return response.body();
  }

  public Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  public JsonNode json() {
    try {
      return JsonMapper.createDefault().readValue(text(), JsonNode.class);
    } catch (IOException e) {
      throw new UncheckedIOException(text(), e);
    }
  }

  /** The {@code code} of a problem. */
  public String code() {
    return at("code");
  }

  /** The text of a field at a path. */
  public String at(String... path) {
    JsonNode node = json();
    for (String name : path) {
      node = node.get(name);
      if (node == null) {
        throw new AssertionError("no " + String.join(".", path) + " in " + text());
      }
    }
    return node.coerceStringValue();
  }
}
