package social.feed.api.edge.operations;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import social.feed.api.http.Api;

/** An OpenAPI document with all references resolved. */
public final class Document {
  /** By the text of the document. Hundreds of tests read that of a few servers. */
  private static final Map<String, Map<String, Operation>> KNOWN = new ConcurrentHashMap<>();

  private final Map<String, Object> root;

  private Document(String text) {
    this.root = map(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
  }

  /** Reads a document. */
  static Document parse(String text) {
    return new Document(text);
  }

  /** Returns the operations that a server documents, by e.g. {@code get /v1/feed}. */
  public static Map<String, Operation> operations(Api api) {
    return KNOWN.computeIfAbsent(
        api.get("/openapi.yml").text(),
        text -> Collections.unmodifiableMap(parse(text).operations()));
  }

  /** The operations by e.g. {@code get /v1/feed}. */
  Map<String, Operation> operations() {
    Map<String, Operation> operations = new LinkedHashMap<>();
    map(root.get("paths"))
        .forEach(
            (path, methods) ->
                map(methods)
                    .forEach(
                        (method, operation) ->
                            operations.put(
                                method + " " + path, new Operation(map(resolve(operation))))));
    return operations;
  }

  /** The resolved schemas by name. */
  Map<String, Object> schemas() {
    return map(resolve(map(root.get("components")).get("schemas")));
  }

  private @Nullable Object resolve(@Nullable Object node) {
    if (node instanceof List<?> list) {
      return list.stream().map(this::resolve).toList();
    }
    if (!(node instanceof Map<?, ?>)) {
      return node;
    }
    Map<String, Object> resolved = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : map(node).entrySet()) {
      if (entry.getKey().equals("$ref")) {
        return resolve(target((String) entry.getValue()));
      }
      resolved.put(entry.getKey(), resolve(entry.getValue()));
    }
    return resolved;
  }

  private Object target(String reference) {
    Object node = root;
    for (String name : reference.substring("#/".length()).split("/")) {
      node = Objects.requireNonNull(map(node).get(name), reference);
    }
    return node;
  }

  @SuppressWarnings("unchecked") // names are texts in all of the document
  private static Map<String, Object> map(@Nullable Object node) {
    return (Map<String, Object>) Objects.requireNonNull(node);
  }

  /**
   * An operation.
   *
   * @param text all of it
   */
  public record Operation(Map<String, Object> text) {

    /** The statuses that it documents. */
    List<String> statuses() {
      return List.copyOf(responses().keySet());
    }

    /** The names of the headers that it documents for a status. */
    List<String> headers(String status) {
      return List.copyOf(map(response(status).getOrDefault("headers", Map.of())).keySet());
    }

    /** The schemas of a response by media type; empty without a body. */
    Map<String, Object> content(String status) {
      return map(response(status).getOrDefault("content", Map.of()));
    }

    boolean isSecured() {
      return text.get("security") instanceof List<?> schemes && !schemes.isEmpty();
    }

    boolean hasParameter(String name) {
      return parameters().containsKey(name);
    }

    /** The schemas of its parameters by name. */
    Map<String, Map<String, Object>> parameters() {
      Map<String, Map<String, Object>> parameters = new LinkedHashMap<>();
      for (Object parameter : (List<?>) text.getOrDefault("parameters", new ArrayList<>())) {
        parameters.put((String) map(parameter).get("name"), map(map(parameter).get("schema")));
      }
      return parameters;
    }

    /** The schemas of the fields of its request body by name; empty without a body. */
    Map<String, Map<String, Object>> fields() {
      Map<String, Map<String, Object>> fields = new LinkedHashMap<>();
      if (text.containsKey("requestBody")) {
        Object json = map(map(text.get("requestBody")).get("content")).get("application/json");
        map(map(map(json).get("schema")).get("properties"))
            .forEach((name, schema) -> fields.put(name, map(schema)));
      }
      return fields;
    }

    /** The names of the request headers that it documents. */
    List<String> headerParameters() {
      List<String> names = new ArrayList<>();
      for (Object parameter : (List<?>) text.getOrDefault("parameters", new ArrayList<>())) {
        if ("header".equals(map(parameter).get("in"))) {
          names.add((String) map(parameter).get("name"));
        }
      }
      return names;
    }

    private Map<String, Object> responses() {
      return map(text.get("responses"));
    }

    private Map<String, Object> response(String status) {
      return map(responses().get(status));
    }
  }
}
