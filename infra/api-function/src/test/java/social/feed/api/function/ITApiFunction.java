package social.feed.api.function;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext.Authorizer;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext.Http;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.kernel.store.CallDeadline;
import social.feed.table.row.Post;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** Events that the gateway sends and no HTTP client can cause in a bridge, and their responses. */
@LongRunning
@ExtendWith(FeedServerExtension.class)
class ITApiFunction {
  private final FeedServer server;
  private final Person ann;
  private final Person bob;

  ITApiFunction(FeedServer server, SeedWorld world) {
    this.server = server;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
  }

  /** An event with the token of a caller. */
  private APIGatewayV2HTTPEvent event(Person caller, String method, String path, String query) {
    return event(method, path, query, Map.of("authorization", "Bearer " + server.tokenOf(caller)));
  }

  private static APIGatewayV2HTTPEvent event(
      String method, String path, String query, Map<String, String> headers) {
    Http http =
        Http.builder()
            .withMethod(method)
            .withPath(path)
            .withProtocol("HTTP/1.1")
            .withSourceIp("203.0.113.7")
            .build();
    return APIGatewayV2HTTPEvent.builder()
        .withVersion("2.0")
        .withRouteKey("ANY /v1/{path+}")
        .withRawPath(path)
        .withRawQueryString(query)
        .withHeaders(new HashMap<>(headers))
        .withRequestContext(RequestContext.builder().withStage("$default").withHttp(http).build())
        .build();
  }

  private static void put(APIGatewayV2HTTPEvent event, String body, boolean isBase64) {
    event.getHeaders().put("content-type", "application/json");
    event.setBody(body);
    event.setIsBase64Encoded(isBase64);
  }

  private APIGatewayV2HTTPResponse answer(APIGatewayV2HTTPEvent event) {
    return answer(server, event);
  }

  private static APIGatewayV2HTTPResponse answer(FeedServer asked, APIGatewayV2HTTPEvent event) {
    RuntimeClient client = asked.bean(FunctionServer.class).client();
    return LambdaJson.readResponse(client.invoke(LambdaJson.write(event)));
  }

  private static @Nullable String header(APIGatewayV2HTTPResponse response, String name) {
    return response.getHeaders().entrySet().stream()
        .filter(header -> header.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private static void expectProblem(int status, String code, APIGatewayV2HTTPResponse response) {
    assertThat(response.getStatusCode()).as(response.getBody()).isEqualTo(status);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(response.getBody()).contains("\"code\":\"" + code + "\"");
  }

  @Test
  void body_inBase64_isReadLikeText() {
    String json = "{\"text\":\"Grüße #Köln\"}";
    APIGatewayV2HTTPEvent text = event(ann, "POST", "/v1/posts", "");
    put(text, json, false);
    APIGatewayV2HTTPEvent base64 = event(ann, "POST", "/v1/posts", "");
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    put(base64, Base64.getEncoder().encodeToString(bytes), true);

    for (APIGatewayV2HTTPEvent event : List.of(text, base64)) {
      APIGatewayV2HTTPResponse response = answer(event);
      assertThat(response.getStatusCode()).as(response.getBody()).isEqualTo(201);
      assertThat(response.getBody()).contains("\"text\":\"Grüße #Köln\"");
      assertThat(header(response, "Location")).startsWith("/v1/posts/");
      assertThat(response.getIsBase64Encoded()).isFalse();
    }
  }

  @Test
  void body_overTheLimit_isRefused_inBothForms() {
    String large = "{\"text\":\"" + "x".repeat(64 * 1024) + "\"}";
    APIGatewayV2HTTPEvent text = event(ann, "POST", "/v1/posts", "");
    put(text, large, false);
    APIGatewayV2HTTPEvent base64 = event(ann, "POST", "/v1/posts", "");
    byte[] bytes = large.getBytes(StandardCharsets.UTF_8);
    put(base64, Base64.getEncoder().encodeToString(bytes), true);

    expectProblem(413, "too_large", answer(text));
    expectProblem(413, "too_large", answer(base64));
  }

  @Test
  void query_isReadAsItWasSent() {
    ann.follows(bob);
    String ids = ann.id() + "," + bob.id();
    APIGatewayV2HTTPEvent list = event(ann, "GET", "/v1/relationships", "ids=" + ids);
    // The gateway joins repeated variables with commas as well.
    list.setQueryStringParameters(Map.of("ids", ids));
    APIGatewayV2HTTPEvent encoded =
        event(ann, "GET", "/v1/relationships", "ids=" + ids.replace(",", "%2C"));
    APIGatewayV2HTTPEvent repeated = event(ann, "GET", "/v1/feed", "limit=1&limit=1");
    repeated.setQueryStringParameters(Map.of("limit", "1,1"));

    assertThat(answer(list).getBody()).contains(bob.id()).contains("\"following\":true");
    assertThat(answer(encoded).getBody()).isEqualTo(answer(list).getBody());
    expectProblem(400, "invalid_request", answer(repeated));
    assertThat(answer(repeated).getBody()).contains("is given more than once");
  }

  @Test
  void requestId_isThatOfTheGateway_overOneOfTheClient() {
    APIGatewayV2HTTPEvent known = event(ann, "GET", "/v1/feed", "");
    known.getHeaders().put("feed-request-id", "of-the-client");
    known.getRequestContext().setRequestId("Lx8pTgVXliAEJxg=");
    APIGatewayV2HTTPEvent unknown = event(ann, "GET", "/v1/feed", "");
    unknown.getHeaders().put("feed-request-id", "of-the-client");

    assertThat(header(answer(known), "X-Request-Id")).isEqualTo("Lx8pTgVXliAEJxg=");
    assertThat(header(answer(unknown), "X-Request-Id")).matches("[0-9a-f-]{36}");
  }

  /** The gateway may decode a path. */
  @Test
  void path_isReadDecodedAndEncoded() {
    for (String path : List.of("/v1/tags/köln/posts", "/v1/tags/k%C3%B6ln/posts")) {
      assertThat(answer(event(ann, "GET", path, "")).getStatusCode()).as(path).isEqualTo(200);
    }
    for (String path : List.of("/v1/users/%", "/v1/users/a b", "//evil.example/v1/feed", "")) {
      assertThat(answer(event(ann, "GET", path, "")).getStatusCode()).as(path).isIn(400, 404);
    }
  }

  @Test
  void headersWithSeveralValues_areJoinedBothWays() {
    APIGatewayV2HTTPEvent event = event(ann, "GET", "/v1/users/" + bob.id(), "");
    String tag = header(answer(event), "ETag");
    assertThat(tag).isNotNull();

    event.getHeaders().put("if-none-match", "\"other\"," + tag);
    APIGatewayV2HTTPResponse response = answer(event);

    assertThat(response.getStatusCode()).isEqualTo(304);
    assertThat(response.getBody()).isNullOrEmpty();
    assertThat(response.getCookies()).isNull();
    assertThat(response.getMultiValueHeaders()).isNull();
  }

  @Test
  void cookies_haveNoEffect() {
    APIGatewayV2HTTPEvent event = event("GET", "/v1/feed", "", Map.of());
    event.setCookies(List.of("JWT=" + server.tokenOf(ann), "session=1"));

    expectProblem(401, "unauthenticated", answer(event));
  }

  /** The framework would believe both. */
  @Test
  void identity_comesFromTheTokenOnly() {
    APIGatewayV2HTTPEvent byHeader =
        event("GET", "/v1/users/me", "", Map.of("x-amzn-oidc-identity", ann.id()));
    APIGatewayV2HTTPEvent byClaims = event("GET", "/v1/users/me", "", Map.of());
    Authorizer authorizer =
        Authorizer.builder()
            .withJwt(Authorizer.JWT.builder().withClaims(Map.of("sub", ann.id())).build())
            .build();
    byClaims.getRequestContext().setAuthorizer(authorizer);
    APIGatewayV2HTTPEvent ofAnother = event(bob, "GET", "/v1/users/me", "");
    ofAnother.getHeaders().put("x-amzn-oidc-identity", ann.id());
    ofAnother.getRequestContext().setAuthorizer(authorizer);

    expectProblem(401, "unauthenticated", answer(byHeader));
    expectProblem(401, "unauthenticated", answer(byClaims));
    assertThat(answer(ofAnother).getBody()).contains("\"id\":\"" + bob.id() + "\"");
  }

  @Test
  void head_hasTheHeadersOfGet_andNoBody() {
    String path = "/v1/users/" + bob.id();
    APIGatewayV2HTTPResponse get = answer(event(ann, "GET", path, ""));
    APIGatewayV2HTTPResponse head = answer(event(ann, "HEAD", path, ""));

    assertThat(head.getStatusCode()).isEqualTo(200);
    assertThat(header(head, "ETag")).isEqualTo(header(get, "ETag"));
    assertThat(head.getBody()).isNullOrEmpty();
    assertThat(answer(event(ann, "HEAD", "/v1/none", "")).getStatusCode()).isEqualTo(404);
  }

  @Test
  void unknownRoutesAndMethods_areProblems() {
    expectProblem(404, "not_found", answer(event(ann, "GET", "/v1/none", "")));
    expectProblem(404, "not_found", answer(event("GET", "/none", "", Map.of())));
    expectProblem(405, "method_not_allowed", answer(event(ann, "PUT", "/v1/feed", "")));
    assertThat(answer(event(ann, "BREW", "/v1/feed", "")).getStatusCode()).isIn(404, 405);
  }

  @Test
  void addressesAndHeaders_haveTheLimitsOfTheServer() {
    APIGatewayV2HTTPEvent longHeader = event(ann, "GET", "/v1/feed", "");
    longHeader.getHeaders().put("x-long", "x".repeat(9_000));

    expectProblem(431, "headers_too_large", answer(longHeader));
    expectProblem(
        414,
        "address_too_long",
        answer(event(ann, "GET", "/v1/feed", "cursor=" + "x".repeat(5_000))));
  }

  @Test
  void responseThatIsNoText_isBase64() {
    APIGatewayV2HTTPResponse image =
        answer(event("GET", "/swagger-ui/res/favicon-32x32.png", "", Map.of()));
    assertThat(image.getStatusCode()).isEqualTo(200);
    assertThat(image.getIsBase64Encoded()).isTrue();
    assertThat(Base64.getDecoder().decode(image.getBody())).startsWith(0x89, 'P', 'N', 'G');
  }

  /** Lambda would answer 502 for a response of more than 6 MiB. */
  @Test
  void export_overTheLimitOfLambda_isAProblem_andFreesItsSlot() {
    Person writer = server.world().user("writer");
    String text = "x".repeat(500);
    APIGatewayV2HTTPEvent event = event(writer, "GET", "/v1/users/me/export", "");
    Post small = writer.posts("small");
    assertThat(answer(event).getBody()).contains(small.postId()).contains("\"kind\":\"end\"");
    for (int i = 0; i < GatewayResponse.BODY_MAX / text.length(); i++) {
      writer.posts(text);
    }

    expectProblem(422, "response_too_large", answer(event));
    // The export sees shortly after the refusal that no one reads it.
    Polling.until(() -> answer(event).getStatusCode() == 422);
    assertThat(statusesOfLines(event)).containsExactly(422);
  }

  /** Whichever call is the first that may not begin, the export ends in a problem of the table. */
  @Test
  void export_thatIsStillReadingNearTheEnd_isRefusedAsBusy() {
    DeadlineWire wire = new DeadlineWire();
    FeedServer ending = FeedServer.start(Map.of(), wire);
    int refused = 0;
    try {
      wire.deadline = ending.bean(CallDeadline.class);
      ApiFunction calls = ending.bean(FunctionServer.class).client().function();
      APIGatewayV2HTTPResponse response;
      while (true) {
        Person writer = ending.world().user("reader" + refused);
        writer.posts("kept");
        Map<String, String> token = Map.of("authorization", "Bearer " + ending.tokenOf(writer));
        response =
            calls.handleRequest(
                event("GET", "/v1/users/me/export", "", token), new TimedContext(refused + 1));
        if (response.getStatusCode() == 200) {
          break;
        }
        expectProblem(503, "table_busy", response);
        assertThat(header(response, "retry-after")).isEqualTo("1");
        refused++;
      }
      assertThat(response.getBody()).contains("\"kind\":\"end\"");
    } finally {
      ending.stop();
    }
    assertThat(refused).isGreaterThan(5);
  }

  /** Refuses calls near the end, as the client of the table does that is in use on AWS. */
  private static final class DeadlineWire implements Wire {
    private volatile @Nullable CallDeadline deadline;

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      CallDeadline set = deadline;
      if (set != null && set.isNear()) {
        throw RetryableException.create("The invocation is about to end");
      }
      return table.apply(request);
    }
  }

  /** Returns the statuses in the lines of one request, where lines are JSON. */
  private List<Object> statusesOfLines(APIGatewayV2HTTPEvent event) {
    Logger logger =
        (Logger) LoggerFactory.getLogger("social.feed.api.edge.operations.RequestLogging");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.INFO);
    FeedServer logging = server.another(Map.of("feed.log.format", "json"));
    try {
      answer(logging, event);
    } finally {
      logging.stop();
      logger.setLevel(null);
      logger.detachAppender(lines);
    }
    return lines.list.stream()
        .flatMap(line -> line.getKeyValuePairs().stream())
        .filter(pair -> pair.key.equals("status"))
        .map(pair -> pair.value)
        .toList();
  }
}
