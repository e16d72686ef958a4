package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.HttpMethod;
import io.micronaut.web.router.Router;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.api.edge.operations.Authorisation.Caller;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.ServerOnly;
import social.feed.table.media.MediaStore;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/**
 * The routes that the OpenAPI document leaves out on purpose, for every kind of caller, and what is
 * no right address. The rest is in the document, and so in {@link ITAuthorisation}, {@link
 * ITNonsense} and the fuzzer.
 */
@ServerOnly
@ExtendWith(FeedServerExtension.class)
class ITUndocumentedRoutes {
  /** The beginning of the routes of {@code OddRoutes}. */
  private static final String OF_TESTS = " /v1/odd/";

  private static final String CONTENT = "of a picture";

  /** Ids, names and signatures that no response has. */
  private static final List<String> ODD =
      List.of(
          "x",
          "0",
          "..",
          "../x",
          "a/b",
          "%",
          "\u0000",
          "\n",
          "\u00e4",
          "\ud83d\ude00",
          "'\"<>",
          "=".repeat(40),
          "A".repeat(300),
          "small.png",
          "original.svg",
          "upload",
          "ffffffff-ffff-7fff-bfff-ffffffffffff");

  private final FeedServer server;
  private final RightRequests requests;
  private final Person owner;
  private final Person other;

  ITUndocumentedRoutes(FeedServer server, SeedWorld world) {
    this.server = server;
    this.requests = new RightRequests(server, world);
    this.owner = requests.owner();
    this.other = requests.other();
  }

  @Test
  void route_thatIsNotInTheDocument_isExempt() {
    Set<String> routes =
        server
            .bean(Router.class)
            .uriRoutes()
            .filter(route -> route.getHttpMethod() != HttpMethod.HEAD)
            .map(
                route ->
                    route.getHttpMethodName().toLowerCase(Locale.ROOT)
                        + " "
                        + route.getUriMatchTemplate().toPathString())
            .filter(route -> !route.contains(OF_TESTS))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(routes).containsAll(RightRequests.operations(server).keySet());
    routes.removeAll(RightRequests.operations(server).keySet());
    assertThat(routes)
        .containsExactlyInAnyOrderElementsOf(
            Exemption.all().stream().map(Exemption::operation).toList());
  }

  static Stream<Arguments> cells() {
    return Exemption.all().stream()
        .flatMap(
            route ->
                Stream.of(Caller.values())
                    .map(
                        caller ->
                            Arguments.of(
                                route.operation(), caller, route.rights().statuses().get(caller))));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void route_forACaller_isAnsweredAsDecided(String operation, Caller caller, int expected)
      throws IOException {
    if (caller == Caller.FOLLOWER || caller == Caller.BLOCKED) {
      other.follows(owner);
    }
    if (caller == Caller.BLOCKED) {
      owner.blocks(other);
    }
    Api api =
        switch (caller) {
          case ANONYMOUS -> server.anonymous();
          case OPERATOR -> server.asOperator(other);
          case SELF -> server.as(owner);
          case OTHER, FOLLOWER, BLOCKED -> server.as(other);
        };

    Answer answer = sent(api, operation, address(operation));

    assertThat(answer.status()).as(answer.text()).isEqualTo(expected);
    assertThat(answer.header("X-Content-Type-Options")).hasValue("nosniff");
  }

  private static Answer sent(Api api, String operation, String path) {
    return operation.startsWith("put ")
        ? api.with("Content-Type", "image/png").send("PUT", path, CONTENT)
        : api.get(path);
  }

  /** The path of a right request, as responses to the owner have it. */
  private String address(String operation) throws IOException {
    Api api = server.as(owner);
    return switch (operation) {
      case "put /media/uploads/{id}" ->
          Expect.status(
                  201,
                  api.post(
                      "/v1/media",
                      "{\"content_type\":\"image/png\",\"bytes\":%d,\"sha256\":\"%s\"}"
                          .formatted(CONTENT.length(), "0".repeat(64))))
              .at("address");
      case "get /media/files/{id}/{name}" -> {
        Answer media = requests.send(api, "get /v1/media/{id}", owner);
        byte[] bytes = CONTENT.getBytes(StandardCharsets.UTF_8);
        server
            .bean(MediaStore.class)
            .write(
                media.at("id"), "original.png", new ByteArrayInputStream(bytes), CONTENT.length());
        yield media.at("files", "original");
      }
      case "get /v1/users/by-handle/followers",
          "get /v1/users/by-handle/following",
          "get /v1/users/by-handle/mutuals" -> {
        String handle = operation.substring(operation.lastIndexOf('/') + 1);
        server
            .as("is-" + handle)
            .post("/v1/users", "{\"handle\":\"%s\",\"display_name\":\"A\"}".formatted(handle));
        yield operation.substring("get ".length());
      }
      case "get /health/{selector}" -> "/health/readiness";
      default -> operation.substring("get ".length());
    };
  }

  static Stream<String> signed() {
    return Exemption.all().stream().filter(Exemption::isSigned).map(Exemption::operation);
  }

  /** No token stands for a signature, neither the owner's nor an operator's. */
  @ParameterizedTest
  @MethodSource("signed")
  void signedAddress_changed_isMissing(String operation) throws IOException {
    String right = address(operation);
    URI uri = URI.create(right);
    String signature = uri.getQuery().substring("signature=".length());
    String next = signature.startsWith("A") ? "B" : "A";

    for (Api api : List.of(server.anonymous(), server.as(owner), server.asOperator(owner))) {
      String changed = uri.getPath() + "?signature=" + next + signature.substring(1);
      Expect.problem(404, "not_found", sent(api, operation, changed));
      Expect.blames(400, "signature", sent(api, operation, uri.getPath()));
    }
  }

  /** The fuzzer reads the document only, so these requests are sent here. */
  @ParameterizedTest
  @MethodSource("signed")
  void signedAddress_withNonsense_isRefused(String operation) throws IOException {
    URI right = URI.create(address(operation));
    String[] segments = right.getRawPath().substring(1).split("/");
    Set<Integer> met = new TreeSet<>();
    for (Api api : List.of(server.anonymous(), server.as(owner))) {
      for (String odd : ODD) {
        String encoded = URLEncoder.encode(odd, StandardCharsets.UTF_8).replace("+", "%20");
        met.add(refused(api, operation, right.getRawPath() + "?signature=" + encoded));
        for (int i = 2; i < segments.length; i++) {
          String[] changed = segments.clone();
          changed[i] = encoded;
          String path = "/" + String.join("/", changed) + "?" + right.getRawQuery();
          met.add(refused(api, operation, path));
        }
      }
    }
    assertThat(met).containsExactly(400, 404);
  }

  private static int refused(Api api, String operation, String path) {
    Answer answer = sent(api, operation, path);
    assertThat(answer.status()).as(path + answer.text()).isIn(400, 404);
    assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.header("Cache-Control")).hasValue("no-store");
    return answer.status();
  }
}
