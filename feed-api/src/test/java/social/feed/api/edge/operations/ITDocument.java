package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpMethod;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.api.edge.operations.Document.Operation;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.access.AccessPattern;

/** Compares the document with the code and the running server. */
@ExtendWith(FeedServerExtension.class)
class ITDocument {
  private static final int LINES_MAX = 3_500;
  private static final String[] ALWAYS = {"400", "406", "413", "414", "429", "431", "503"};

  private static final Set<String> REVALIDATED =
      Set.of(
          "get /v1/posts/{id}",
          "get /v1/users/me",
          "get /v1/users/{id}",
          "get /v1/users/by-handle/{handle}");

  private final FeedServer server;
  private final Api anonymous;
  private final Api caller;
  private final String text;
  private final Map<String, Operation> operations;

  ITDocument(FeedServer server) {
    this.server = server;
    this.anonymous = server.anonymous();
    this.caller = server.as("reader");
    this.text = anonymous.get("/openapi.yml").text();
    this.operations = Document.parse(text).operations();
  }

  /** The file is for {@code .ci/openapi-lint}. */
  @Test
  void document_isShortAndWrittenForTheLinter() throws IOException {
    Files.writeString(Path.of("target", "openapi.yml"), text);

    assertThat(text.lines()).hasSizeLessThan(LINES_MAX);
  }

  /** The document as the compiler generates it describes each problem at each operation. */
  @Test
  void document_completed_promisesTheSameBodies() throws IOException {
    var generated = Document.parse(ApiDocument.generated()).operations();

    assertThat(operations.keySet()).isEqualTo(generated.keySet());
    operations.forEach(
        (name, operation) -> {
          Operation before = Objects.requireNonNull(generated.get(name));
          assertThat(operation.statuses())
              .as(name)
              .containsExactlyInAnyOrderElementsOf(before.statuses());
          for (String status : operation.statuses()) {
            String what = name + " " + status;
            Set<String> types = operation.content(status).keySet();
            if (status.compareTo("400") < 0) {
              assertThat(types).as(what).isEqualTo(before.content(status).keySet());
            } else {
              assertThat(types).as(what).containsExactly("application/problem+json");
            }
          }
        });
  }

  @Test
  void nullable_isOnlyOfValuesInRequests() {
    operations.forEach(
        (name, operation) -> {
          assertThat(operation.parameters().toString()).as(name).doesNotContain("nullable");
          for (String status : operation.statuses()) {
            assertThat(operation.content(status).toString()).as(name).doesNotContain("nullable");
          }
        });
    assertThat(Objects.requireNonNull(operations.get("post /v1/posts")).text().toString())
        .contains("enum=[public, followers, private, null]", "nullable=true");
  }

  @Test
  void operation_ofEachKind_documentsItsProblems() {
    operations.forEach(
        (name, operation) -> {
          List<String> statuses = operation.statuses();
          assertThat(statuses).as(name).contains(ALWAYS).doesNotContain("500");
          assertThat(statuses.stream().filter(s -> s.startsWith("2"))).as(name).isNotEmpty();
          boolean open = name.equals("post /v1/dev/tokens");
          assertThat(statuses.contains("401")).as(name).isNotEqualTo(open);
          assertThat(operation.isSecured()).as(name).isNotEqualTo(open);
          boolean body = !name.startsWith("get ");
          assertThat(statuses.contains("415")).as(name).isEqualTo(body);
          boolean named = name.contains("{") && !name.contains("{tag}");
          // A deployment may have no search.
          boolean optional = name.startsWith("get /v1/search/");
          boolean isForOperators =
              name.contains(" /v1/webhooks") || name.contains(" /v1/operator/");
          assertThat(statuses.contains("404"))
              .as(name)
              .isEqualTo(named || optional || open || isForOperators);
        });
  }

  @Test
  void operation_withPages_hasTheLimitOfItsPattern() {
    Map<String, Integer> lists = lists();
    assertThat(lists).containsEntry("get /v1/feed", AccessPattern.FEED_003.maxPage());
    lists.forEach(
        (name, max) ->
            assertThat(Objects.requireNonNull(operations.get(name)).parameters().get("limit"))
                .as(name)
                .containsEntry("maximum", max)
                .containsEntry("minimum", 1));
    assertThat(AccessPattern.FEED_009.maxPage()).isEqualTo(AccessPattern.FEED_013.maxPage());
    assertThat(
            operations.entrySet().stream()
                .filter(e -> e.getValue().hasParameter("limit"))
                .map(Map.Entry::getKey))
        .containsExactlyInAnyOrderElementsOf(lists.keySet());
  }

  @Test
  void operation_withPages_hasACursor() {
    var rankings = Set.of("get /v1/leaderboards/authors", "get /v1/tags/trending");
    assertThat(
            operations.entrySet().stream()
                .filter(e -> e.getValue().hasParameter("cursor"))
                .map(Map.Entry::getKey))
        .containsExactlyInAnyOrderElementsOf(
            lists().keySet().stream().filter(name -> !rankings.contains(name)).toList());
  }

  /** Otherwise who follows a cursor would read the first items again and again. */
  @Test
  void variableOfPages_whereThereAreNone_isRefused() {
    Api operator = anonymous.asOperator("reader").with("Content-Type", "application/json");
    int refused = 0;
    for (var operation : operations.entrySet()) {
      String[] parts = operation.getKey().split(" ");
      String method = parts[0].toUpperCase(Locale.ROOT);
      String path = parts[1].replaceAll("\\{\\w+}", "x");
      for (String variable : Set.of("limit", "cursor")) {
        if (!operation.getValue().hasParameter(variable)) {
          String body = method.equals("GET") ? null : "{}";
          var answer = operator.send(method, path + "?" + variable + "=1", body);
          Expect.problem(400, "invalid_request", answer);
          assertThat(answer.text())
              .contains(variable + "\",\"message\":\"is no variable of this route");
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(50);
  }

  @Test
  void variable_thatNoRouteKnows_isIgnored() {
    Expect.status(200, caller.get("/v1/leaderboards/authors?utm_source=x"));
    Expect.status(200, caller.get("/v1/tags/x/posts?limit=1&utm_source=x"));
  }

  /** The largest pages of the routes that take one. */
  private Map<String, Integer> lists() {
    Map<String, Integer> lists = new HashMap<>();
    server
        .bean(Router.class)
        .uriRoutes()
        .filter(route -> route.getHttpMethod() != HttpMethod.HEAD)
        .forEach(
            route ->
                Stream.of(route.getTargetMethod().getArguments())
                    .filter(argument -> argument.getType() == PageParameters.class)
                    .forEach(argument -> lists.put(name(route), max(argument))));
    return lists;
  }

  private static String name(UriRouteInfo<?, ?> route) {
    return route.getHttpMethodName().toLowerCase(Locale.ROOT)
        + " "
        + route.getUriMatchTemplate().toPathString();
  }

  private static int max(Argument<?> argument) {
    return PageParameters.max(
        Objects.requireNonNull(argument.getAnnotationMetadata().getAnnotation(PageOf.class)));
  }

  @Test
  void answers_documentTheirHeaders() {
    operations.forEach(
        (name, operation) -> {
          for (String status : operation.statuses()) {
            List<String> headers = operation.headers(status);
            String what = name + " " + status;
            assertThat(headers)
                .as(what)
                .contains(
                    "RateLimit",
                    "RateLimit-Policy",
                    "X-Consumed-Read-Units",
                    "X-Consumed-Write-Units",
                    "X-Request-Id");
            assertThat(headers.contains("Location")).as(what).isEqualTo(status.equals("201"));
            assertThat(headers.contains("WWW-Authenticate"))
                .as(what)
                .isEqualTo(status.equals("401"));
            assertThat(headers.contains("Retry-After"))
                .as(what)
                .isEqualTo(Set.of("429", "503").contains(status));
            assertThat(headers.contains("ETag"))
                .as(what)
                .isEqualTo(REVALIDATED.contains(name) && Set.of("200", "304").contains(status));
          }
        });
  }

  /** Except defects, which no operation promises, and methods that are no operations. */
  @Test
  void problems_areAllNamed() {
    Set<ProblemCode> ofNone =
        EnumSet.of(ProblemCode.INTERNAL_ERROR, ProblemCode.METHOD_NOT_ALLOWED);
    for (ProblemCode code : ProblemCode.values()) {
      assertThat(text.contains("`" + code.code() + "`"))
          .as(code.code())
          .isNotEqualTo(ofNone.contains(code));
    }
  }

  @Test
  void operations_haveDistinctNamesOfTheirOwn() {
    List<String> names =
        operations.values().stream()
            .map(operation -> String.valueOf(operation.text().get("operationId")))
            .toList();

    assertThat(names).doesNotHaveDuplicates();
    assertThat(names).noneMatch(name -> name.matches(".*_\\d+"));
  }

  @Test
  void parameters_areNeverObjects() {
    operations.forEach(
        (name, operation) ->
            assertThat(operation.parameters().values())
                .as(name)
                .noneMatch(schema -> "object".equals(schema.get("type"))));
  }

  @Test
  void schemas_areInTheNamesOfTheWire() {
    assertThat(text)
        .contains(" next_cursor:", " display_name:")
        .doesNotContain(" nextCursor:", " displayName:", " createdAt:");
  }

  @Test
  void operation_withoutToken_isRefusedWhateverElseIsWrong() {
    operations
        .keySet()
        .forEach(
            name -> {
              String[] parts = name.split(" ");
              if (!parts[1].equals("/v1/dev/tokens")) {
                String path = parts[1].replaceAll("\\{\\w+}", "%23");
                Expect.problem(
                    401,
                    "unauthenticated",
                    anonymous
                        .with("Content-Type", "application/json")
                        .send(parts[0].toUpperCase(Locale.ROOT), path + "?limit=&x=", "{"));
              }
            });
  }

  /** An account with such an id could not be reached at the routes of accounts. */
  @Test
  void words_inThePlaceOfAnId_areNoIds() {
    List<String> words =
        operations.keySet().stream()
            .map(name -> name.split("/"))
            .filter(parts -> parts.length > 3 && parts[2].equals("users"))
            .map(parts -> parts[3])
            .filter(word -> !word.startsWith("{"))
            .distinct()
            .toList();

    assertThat(words).contains("me", "by-handle");
    for (String word : words) {
      Expect.blames(
          400, "user_id", anonymous.post("/v1/dev/tokens", "{\"user_id\":\"" + word + "\"}"));
    }
  }

  @ParameterizedTest
  @CsvSource({"followers", "following", "mutuals", "posts", "follow", "block", "mute"})
  void path_thatTwoRoutesMatch_isAnswered(String word) {
    String id = "is-" + word;
    server.as(id).post("/v1/users", "{\"handle\":\"" + word + "\",\"display_name\":\"A\"}");

    assertThat(caller.get("/v1/users/by-handle/" + word).at("id")).isEqualTo(id);
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /v1/posts, POST",
    "DELETE, /v1/feed, 'HEAD, GET'",
    "POST, /v1/users/me, 'PATCH, DELETE, HEAD, GET'",
    "OPTIONS, /v1/posts/x/like, 'POST, DELETE'",
    "GET, /v1/posts, POST",
    "POST, /v1/stream, GET",
    "PUT, /v1/users/x/followers?cursor=&limit=1&limit=2, 'HEAD, GET'"
  })
  void method_notDocumented_is405WithAllow(String method, String path, String allowed) {
    var answer = caller.send(method, path, null);

    Expect.problem(405, "method_not_allowed", answer);
    assertThat(Set.of(answer.header("Allow").orElse("").split(",\\s*")))
        .containsExactlyInAnyOrder(allowed.split(", "));
  }
}
