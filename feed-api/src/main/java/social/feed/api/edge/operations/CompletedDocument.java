package social.feed.api.edge.operations;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.http.HttpStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.problem.ProblemCode;

/**
 * Completes the OpenAPI document that the compiler generates from the annotations of the routes.
 *
 * <ul>
 *   <li>Each problem is a reference to one response for each status, described from the {@link
 *       ProblemCode}s of that status.
 *   <li>Lists have the query variables of {@link PageParameters}, with the maximum of their access
 *       pattern.
 *   <li>Responses have the headers that filters add. Responses without a body and parameters that
 *       several operations declare alike are shared.
 *   <li>Only values in request bodies are nullable: responses omit nulls, and a parameter cannot be
 *       null.
 *   <li>Schemas that the generator writes under two names have one.
 * </ul>
 */
final class CompletedDocument {
  private static final int LINE_WIDTH = 120;
  private static final List<String> ON_ALL_RESPONSES =
      List.of(
          "RateLimit",
          "RateLimit-Policy",
          "X-Consumed-Read-Units",
          "X-Consumed-Write-Units",
          "X-Request-Id");

  private static final String PROBLEM =
      """
      content:
        application/problem+json:
          schema:
            $ref: "#/components/schemas/Problem"
      """;

  private static final String LIMIT_PARAMETER =
      """
      - name: limit
        in: query
        schema:
          type: integer
          format: int32
          minimum: 1
          maximum: %d
          default: %d
      """;

  private static final String CURSOR_PARAMETER =
      """
      - name: cursor
        in: query
        schema:
          type: string
          minLength: 1
      """;

  private static final String HEADERS =
      """
      ETag:
        description: Changes with anything in the body, the caller's like and the counts included
        required: true
        schema:
          type: string
          pattern: '^W/"[0-9a-f]{32}"$'
      Location:
        description: The path of the new resource
        required: true
        schema:
          type: string
          pattern: "^/v1/"
      RateLimit:
        description: The requests that the caller may send at once (`r`), and the seconds until that is a whole burst (`t`)
        schema:
          type: string
          pattern: '^"caller";r=\\d+;t=\\d+$'
      RateLimit-Policy:
        description: The burst (`q`), and the seconds until it is full again (`w`)
        schema:
          type: string
          pattern: '^"caller";q=\\d+;w=\\d+$'
      Retry-After:
        description: The seconds after which the same request may succeed
        required: true
        schema:
          type: integer
          minimum: 1
      WWW-Authenticate:
        description: The scheme of authentication
        required: true
        schema:
          type: string
          enum: [Bearer]
      X-Consumed-Read-Units:
        description: The read units that the request consumed, where it used the table
        schema:
          type: number
          minimum: 0
      X-Consumed-Write-Units:
        description: The write units that the request consumed, where it used the table
        schema:
          type: number
          minimum: 0
      X-Request-Id:
        description: The id of the request in the logs of the server
        required: true
        schema:
          type: string
          pattern: '^[A-Za-z0-9+/=_-]{8,64}$'
      """;

  private final Map<String, Object> document;
  private final Map<String, Object> schemas;
  private final Map<String, Object> sharedResponses = new TreeMap<>();

  private CompletedDocument(String generated) {
    this.document = parse(generated);
    this.schemas = child(child(document, "components"), "schemas");
  }

  /**
   * Returns the completed document.
   *
   * @param lists the lists that operations return, by e.g. {@code get /v1/feed}
   */
  static String of(String generated, Map<String, AnnotationValue<PageOf>> lists) {
    return new CompletedDocument(generated).complete(lists);
  }

  private String complete(Map<String, AnnotationValue<PageOf>> lists) {
    addPageParameters(lists);
    List<Map<String, Object>> operations = operations();
    operations.forEach(this::completeResponses);
    operations.forEach(operation -> operation.putIfAbsent("security", List.of()));
    mergeEqualSchemas();
    restrictNullable();
    Map<String, Object> components = child(document, "components");
    components.put("parameters", shareParameters(operations));
    components.put("responses", sharedResponses);
    components.put("headers", parse(HEADERS));
    return yaml().dump(document);
  }

  private List<Map<String, Object>> operations() {
    return child(document, "paths").values().stream()
        .flatMap(path -> map(path).values().stream())
        .map(CompletedDocument::map)
        .toList();
  }

  private void addPageParameters(Map<String, AnnotationValue<PageOf>> lists) {
    child(document, "paths")
        .forEach(
            (path, methods) ->
                map(methods)
                    .forEach(
                        (method, operation) -> {
                          AnnotationValue<PageOf> list = lists.get(method + " " + path);
                          if (list != null) {
                            list(map(operation)
                                    .computeIfAbsent("parameters", _ -> new ArrayList<>()))
                                .addAll(pageParameters(list));
                          }
                        }));
  }

  private static List<Object> pageParameters(AnnotationValue<PageOf> list) {
    int max = PageParameters.max(list);
    String limit = LIMIT_PARAMETER.formatted(max, PageParameters.LIMIT_DEFAULT);
    // The annotation's own default is not part of the value.
    boolean hasCursor = PageParameters.hasCursor(list);
    return list(load(hasCursor ? limit + CURSOR_PARAMETER : limit));
  }

  private void completeResponses(Map<String, Object> operation) {
    Map<String, Object> responses = child(operation, "responses");
    Map<String, Object> completed = new TreeMap<>();
    responses.forEach(
        (code, response) -> {
          HttpStatus status = HttpStatus.valueOf(Integer.parseInt(code));
          boolean isTagged = responses.containsKey("304");
          completed.put(code, completeResponse(status, map(response), isTagged));
        });
    operation.put("responses", completed);
  }

  private Map<String, Object> completeResponse(
      HttpStatus status, Map<String, Object> response, boolean isTagged) {
    String name = pascalCase(status.name());
    if (status.getCode() >= HttpStatus.BAD_REQUEST.getCode()) {
      sharedResponses.computeIfAbsent(name, _ -> problem(status));
      return reference("responses", name);
    }
    Set<String> headers = new HashSet<>(ON_ALL_RESPONSES);
    if (status == HttpStatus.CREATED) {
      headers.add("Location");
    }
    if (isTagged && (status == HttpStatus.OK || status == HttpStatus.NOT_MODIFIED)) {
      headers.add("ETag");
    }
    response.put("headers", references(headers));
    if (String.valueOf(response.get("description")).endsWith(status.getCode() + " response")) {
      response.put("description", status.getReason());
    }
    if (response.containsKey("content")) {
      return response;
    }
    sharedResponses.put(name, response);
    return reference("responses", name);
  }

  private static Map<String, Object> problem(HttpStatus status) {
    Set<String> headers = new HashSet<>(ON_ALL_RESPONSES);
    switch (status) {
      case UNAUTHORIZED -> headers.add("WWW-Authenticate");
      case TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE -> headers.add("Retry-After");
      default -> {}
    }
    Map<String, Object> response = new LinkedHashMap<>();
    response.put(
        "description",
        Arrays.stream(ProblemCode.values())
            .filter(code -> code.status() == status)
            .map(code -> "`%s`: %s %s".formatted(code.code(), code.cause(), code.remedy()))
            .collect(Collectors.joining("\n\n")));
    response.put("headers", references(headers));
    response.putAll(parse(PROBLEM));
    return response;
  }

  private static Map<String, Object> references(Set<String> headers) {
    Map<String, Object> references = new TreeMap<>();
    headers.forEach(name -> references.put(name, reference("headers", name)));
    return references;
  }

  /** Moves the parameters that several operations declare alike to the components. */
  private static Map<String, Object> shareParameters(List<Map<String, Object>> operations) {
    List<List<Object>> lists =
        operations.stream()
            .filter(operation -> operation.containsKey("parameters"))
            .map(operation -> list(operation.get("parameters")))
            .toList();
    lists.forEach(parameters -> parameters.forEach(parameter -> clean(map(parameter))));
    Map<String, Object> shared = new TreeMap<>();
    lists.stream()
        .flatMap(List::stream)
        .collect(Collectors.groupingBy(CompletedDocument::name))
        .forEach(
            (name, declarations) -> {
              if (declarations.size() > 1 && Set.copyOf(declarations).size() == 1) {
                shared.put(name, declarations.getFirst());
              }
            });
    for (List<Object> parameters : lists) {
      parameters.replaceAll(
          parameter ->
              shared.containsKey(name(parameter))
                  ? reference("parameters", name(parameter))
                  : parameter);
    }
    return shared;
  }

  private static String name(Object parameter) {
    return String.valueOf(map(parameter).get("name"));
  }

  /** Removes from a parameter what the generator says without need or wrongly. */
  private static void clean(Map<String, Object> parameter) {
    parameter.remove("explode");
    Map<String, Object> schema = child(parameter, "schema");
    schema.remove("nullable");
    // The generator's type of a parameter that only an annotation declares.
    schema.replace("type", "object", "string");
  }

  /**
   * Keeps one of the equal schemas that the generator writes under the class and annotated name.
   */
  private void mergeEqualSchemas() {
    Map<Object, String> names = new HashMap<>();
    Map<String, String> renamed = new HashMap<>();
    schemas.forEach(
        (name, schema) -> {
          String first = names.putIfAbsent(schema, name);
          if (first != null) {
            renamed.put(reference(name), reference(first));
          }
        });
    schemas.keySet().removeIf(name -> renamed.containsKey(reference(name)));
    visit(
        document,
        (node, key) -> {
          if (key.equals("$ref")) {
            node.computeIfPresent(
                key, (_, target) -> renamed.getOrDefault(target, (String) target));
          }
        });
  }

  private void restrictNullable() {
    Set<String> apiWire = new HashSet<>();
    for (Map<String, Object> operation : operations()) {
      collect(operation.getOrDefault("requestBody", Map.of()), apiWire);
    }
    schemas.forEach(
        (name, schema) ->
            visit(
                schema,
                (node, key) -> {
                  if (key.equals("nullable")) {
                    replaceNullable(node, apiWire.contains(name));
                  }
                }));
  }

  /** Adds the names of the schemas that a node refers to, directly and by other schemas. */
  private void collect(@Nullable Object node, Set<String> names) {
    visit(
        node,
        (parent, key) -> {
          String target = String.valueOf(parent.get(key));
          String name = target.substring(target.lastIndexOf('/') + 1);
          if (key.equals("$ref") && names.add(name)) {
            collect(schemas.get(name), names);
          }
        });
  }

  /**
   * Writes a nullable reference so that it means what it says: {@code nullable} applies only next
   * to a type, and an enumeration has to contain the null.
   */
  private void replaceNullable(Map<String, Object> schema, boolean isInRequest) {
    if (!isInRequest) {
      schema.remove("nullable");
    }
    if (schema.remove("allOf") instanceof List<?> referenced) {
      Map<String, Object> reference = map(referenced.getFirst());
      if (!isInRequest) {
        schema.putAll(reference);
        return;
      }
      String target = String.valueOf(reference.get("$ref"));
      schema.putAll(map(schemas.get(target.substring(target.lastIndexOf('/') + 1))));
      schema.computeIfPresent(
          "enum",
          (_, values) -> {
            List<Object> withNull = new ArrayList<>(list(values));
            withNull.add(null);
            return withNull;
          });
    }
  }

  /** Calls back for each entry of each map in a tree, which the callback may change. */
  private static void visit(
      @Nullable Object node, BiConsumer<Map<String, Object>, String> callback) {
    if (node instanceof Map<?, ?>) {
      Map<String, Object> map = map(node);
      List.copyOf(map.keySet()).forEach(key -> callback.accept(map, key));
      List.copyOf(map.values()).forEach(value -> visit(value, callback));
    } else if (node instanceof List<?> values) {
      values.forEach(value -> visit(value, callback));
    }
  }

  private static String pascalCase(String constant) {
    return Arrays.stream(constant.split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  private static Map<String, Object> reference(String kind, String name) {
    return new HashMap<>(Map.of("$ref", "#/components/" + kind + "/" + name));
  }

  private static String reference(String schema) {
    return "#/components/schemas/" + schema;
  }

  private static Map<String, Object> child(Map<String, Object> parent, String name) {
    return map(parent.get(name));
  }

  private static Map<String, Object> parse(String text) {
    return map(load(text));
  }

  private static Object load(String text) {
    return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
  }

  private static Yaml yaml() {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.AUTO);
    options.setDereferenceAliases(true);
    options.setWidth(LINE_WIDTH);
    return new Yaml(options);
  }

  @SuppressWarnings("unchecked") // names are texts in all of the document
  private static Map<String, Object> map(@Nullable Object node) {
    return (Map<String, Object>) Objects.requireNonNull(node);
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(@Nullable Object node) {
    return (List<Object>) Objects.requireNonNull(node);
  }
}
