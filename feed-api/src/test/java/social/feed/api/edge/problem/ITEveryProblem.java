package social.feed.api.edge.problem;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.ServerOnly;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaStore;
import social.feed.table.row.Webhook;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.SseClient;

/** Provokes each code of the catalogue. A new code does not compile without a request for it. */
@ExtendWith(FeedServerExtension.class)
class ITEveryProblem {
  private final FeedServer server;
  private final Person ann;
  private final Person bob;
  private final Api caller;
  private final ProblemLog log = new ProblemLog();

  ITEveryProblem(FeedServer server, SeedWorld world) {
    this.server = server;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  @AfterEach
  void close() {
    log.close();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"TOO_MANY_STREAMS", "STREAMS_EXHAUSTED"})
  void code_isAnsweredAsItIsDocumented(ProblemCode code) throws JOSEException {
    expectAsDocumented(code);
  }

  @ServerOnly
  @ParameterizedTest
  @EnumSource(names = {"TOO_MANY_STREAMS", "STREAMS_EXHAUSTED"})
  void codeOfStreams_isAnsweredAsItIsDocumented(ProblemCode code) throws JOSEException {
    expectAsDocumented(code);
  }

  private void expectAsDocumented(ProblemCode code) throws JOSEException {
    Answer answer = provoke(code);

    assertLogged(code, answer.at("instance"));
    Expect.problem(code.status().getCode(), code.code(), answer);
    assertThat(answer.at("type")).isEqualTo("urn:feed:problem:" + code.code());
    assertThat(answer.at("title")).isEqualTo(code.title());
    assertThat(answer.at("status")).isEqualTo("" + code.status().getCode());
    assertThat(answer.at("detail")).isNotBlank();
    assertThat(answer.header("Retry-After").isPresent())
        .isEqualTo(List.of(429, 503).contains(code.status().getCode()));
    assertThat(code.cause()).endsWith(".").doesNotContain("|");
    assertThat(code.remedy()).endsWith(".").doesNotContain("|");
  }

  /**
   * Errors of clients are not logged. The others are, under the instance that operators search for.
   */
  private void assertLogged(ProblemCode code, String instance) {
    var lines = log.of(instance);
    if (code.status().getCode() < 500) {
      assertThat(lines).isEmpty();
      return;
    }
    boolean isDefect = code == ProblemCode.INTERNAL_ERROR;
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst().getLevel()).isEqualTo(isDefect ? Level.ERROR : Level.WARN);
    assertThat(lines.getFirst().getThrowableProxy() != null).isEqualTo(isDefect);
  }

  private Answer provoke(ProblemCode code) throws JOSEException {
    return switch (code) {
      case INVALID_REQUEST -> caller.get("/v1/feed?limit=0");
      case INVALID_JSON -> caller.post("/v1/posts", "{");
      case INVALID_CURSOR -> caller.get("/v1/feed?cursor=x");
      case UNAUTHENTICATED -> server.anonymous().get("/v1/feed");
      case NOT_FOUND -> caller.get("/v1/posts/nothing");
      case SEARCH_OFF ->
          on(
              Map.of("feed.test.search", "off"),
              other -> other.as("one").get("/v1/search/accounts?q=x"));
      case SEARCH_UNAVAILABLE ->
          on(
              Map.of("feed.test.search", "slow"),
              other -> other.as("one").get("/v1/search/accounts?q=x"));
      case METHOD_NOT_ALLOWED -> caller.put("/v1/feed");
      case NOT_ACCEPTABLE -> caller.with("Accept", "image/png").get("/v1/feed");
      case HANDLE_TAKEN ->
          server.as("new-" + ann.id()).post("/v1/users", registration(ann.account().handle()));
      case ALREADY_REGISTERED -> caller.post("/v1/users", registration("another"));
      case NOT_REGISTERED -> server.as("new-" + ann.id()).get("/v1/users/me");
      case ACCOUNT_ERASED -> {
        Expect.status(202, caller.delete("/v1/users/me"));
        yield caller.get("/v1/users/me");
      }
      case TOO_LARGE -> caller.post("/v1/posts", " ".repeat(70_000));
      case ADDRESS_TOO_LONG -> caller.get("/v1/feed?cursor=" + "x".repeat(5_000));
      case HEADERS_TOO_LARGE -> caller.with("X-Long", "x".repeat(10_000)).get("/v1/feed");
      case UNSUPPORTED_MEDIA_TYPE ->
          caller.with("Content-Type", "text/plain").send("POST", "/v1/posts", "x");
      case INVALID_CONTENT -> caller.post("/v1/posts", "{\"text\":\" \"}");
      case SELF_FOLLOW -> caller.post(path(ann, "/follow"));
      case SELF_BLOCK -> caller.put(path(ann, "/block"));
      case SELF_MUTE -> caller.put(path(ann, "/mute"));
      case BLOCKED -> {
        bob.blocks(ann);
        yield caller.post(path(bob, "/follow"));
      }
      case NOT_FOLLOWED -> caller.put(path(bob, "/special-follow"));
      case SPECIAL_CAP_REACHED ->
          on(
              Map.of("feed.limits.special", 1),
              other -> {
                SeedWorld world = other.world();
                Person one = world.user("one");
                Person two = world.user("two");
                Person three = world.user("three");
                one.follows(two);
                one.follows(three);
                one.marks(two);
                return other.as(one).put(path(three, "/special-follow"));
              });
      case FOLLOW_CAP_REACHED -> second(Map.of("feed.limits.followed", 1), "POST", "/follow");
      case KEPT_CAP_REACHED ->
          on(
              Map.of("feed.limits.kept", 1),
              other -> {
                SeedWorld world = other.world();
                Person one = world.user("one");
                Person three = world.user("three");
                Person two = world.user("two");
                one.follows(two);
                one.follows(three);
                String end = "/follow?keep_history=true";
                Expect.status(204, other.as(one).delete(path(two, end)));
                return other.as(one).delete(path(three, end));
              });
      case BLOCK_CAP_REACHED -> second(Map.of("feed.limits.blocked", 1), "PUT", "/block");
      case MUTE_CAP_REACHED -> second(Map.of("feed.limits.blocked", 1), "PUT", "/mute");
      case FOLLOWS_SLOWED_DOWN ->
          on(Map.of("feed.limits.slowed-follows", 1), ITEveryProblem::slowedDown);
      case TOO_MANY_FOLLOWS -> second(Map.of("feed.limits.daily-follows", 1), "POST", "/follow");
      case TOO_MANY_UNFOLLOWS ->
          on(
              Map.of("feed.limits.daily-unfollows", 1),
              other -> {
                unfollow(other);
                return unfollow(other);
              });
      case FOLLOWED_TOO_RECENTLY ->
          on(Map.of("feed.limits.unfollow-after", "1h"), ITEveryProblem::unfollow);
      case WEBHOOK_LIMIT_REACHED ->
          on(
              Map.of("feed.webhooks.max", 1),
              other -> {
                Api operator = other.asOperator(other.world().user("one"));
                Expect.status(201, operator.post("/v1/webhooks", webhook("http://127.0.0.1:9/")));
                return operator.post("/v1/webhooks", webhook("http://127.0.0.1:9/"));
              });
      case TOO_MANY_SECRETS -> {
        Api operator = server.asOperator(ann);
        String path =
            "/v1/webhooks/"
                + operator.post("/v1/webhooks", webhook("http://127.0.0.1:9/")).at("id");
        for (int i = 0; i < Webhook.FORMER_MAX; i++) {
          Expect.status(200, operator.patch(path, "{\"rotate_secret\":true}"));
        }
        yield operator.patch(path, "{\"rotate_secret\":true}");
      }
      case WEBHOOK_REFUSED ->
          server.asOperator(ann).post("/v1/webhooks", webhook("ftp://127.0.0.1/"));
      case IDEMPOTENCY_KEY_REUSED -> {
        Api once = caller.with("Idempotency-Key", "one");
        Expect.status(201, once.post("/v1/posts", "{\"text\":\"x\"}"));
        yield once.post("/v1/posts", "{\"text\":\"y\"}");
      }
      case TOO_MANY_STREAMS ->
          on(
              Map.of("feed.live.streams-per-user", 1),
              other -> afterAStream(other.as("one"), other.as("one")));
      case TOO_MANY_EXPORTS ->
          on(
              Map.of("feed.export.again-after", "1h"),
              other -> {
                Api one = other.as(other.world().user("one"));
                Expect.status(200, one.get("/v1/users/me/export"));
                return one.get("/v1/users/me/export");
              });
      case STREAMS_EXHAUSTED ->
          on(
              Map.of("feed.live.streams", 1),
              other -> afterAStream(other.as("one"), other.as("two")));
      case MEDIA_NOT_UPLOADED -> caller.post("/v1/media/" + announced(caller) + "/complete");
      case MEDIA_IN_USE -> {
        String id = completed();
        Expect.status(201, caller.post("/v1/posts", showing(id)));
        yield caller.delete("/v1/media/" + id);
      }
      case MEDIA_NOT_USABLE -> caller.post("/v1/posts", showing(announced(caller)));
      case MEDIA_MISMATCH -> {
        String id = announced(caller);
        store(id, new byte[9]);
        yield caller.post("/v1/media/" + id + "/complete");
      }
      case MEDIA_REFUSED -> caller.post("/v1/media", announcement(9_000_000));
      case MEDIA_QUOTA_REACHED ->
          on(
              Map.of("feed.media.quota-bytes", 10),
              other -> {
                Api one = other.as(other.world().user("one"));
                announced(one);
                return one.post("/v1/media", announcement(9));
              });
      case RATE_LIMITED ->
          on(
              Map.of("feed.limits.rate.per-second", 1, "feed.limits.rate.burst", 1),
              other -> {
                Api quick = other.as("quick");
                // A token comes back each second, so the second request may be admitted.
                return Stream.generate(() -> quick.get("/v1/feed"))
                    .limit(20)
                    .filter(answer -> answer.status() == 429)
                    .findFirst()
                    .orElseThrow();
              });
      case INTERNAL_ERROR -> caller.get("/v1/odd/failures/defect");
      // The function's own tests have a response of that size.
      case RESPONSE_TOO_LARGE -> caller.get("/v1/odd/failures/too-large");
      case TABLE_BUSY -> caller.get("/v1/odd/failures/throttling");
      case EXPORT_BUSY ->
          on(
              Map.of("feed.export.exports", 0),
              other -> other.as(other.world().user("one")).get("/v1/users/me/export"));
      case MEDIA_BUSY ->
          on(
              Map.of("feed.media.completions", 0),
              other -> {
                Api one = other.as(other.world().user("one"));
                return one.post("/v1/media/" + announced(one) + "/complete");
              });
      case IDENTITY_UNAVAILABLE -> {
        String token = signed();
        yield on(
            Map.of("feed.dev-issuer.enabled", false, "feed.auth.jwks-url", "http://127.0.0.1:1/"),
            other -> other.anonymous().withToken(token).get("/v1/feed"));
      }
    };
  }

  private static String webhook(String url) {
    return "{\"url\":\"" + url + "\"}";
  }

  private static Answer afterAStream(Api one, Api two) {
    try (SseClient _ = one.stream("/v1/stream")) {
      return two.get("/v1/stream");
    }
  }

  private static String announcement(long bytes) {
    return "{\"content_type\":\"image/png\",\"bytes\":%d,\"sha256\":\"%s\"}"
        .formatted(bytes, "0".repeat(64));
  }

  /** Announces an upload and returns its id. */
  private static String announced(Api api) {
    return api.post("/v1/media", announcement(9)).at("id");
  }

  private static String showing(String mediaId) {
    return "{\"text\":\"x\",\"media\":[\"" + mediaId + "\"]}";
  }

  /** Writes a file of the caller whose upload was checked, and returns its id. */
  private String completed() {
    String id = announced(caller);
    var files = new MediaFiles(server.table().table());
    files.complete(files.get(id).orElseThrow(), 3, 2);
    return id;
  }

  private void store(String mediaId, byte[] upload) {
    try {
      server
          .bean(MediaStore.class)
          .write(mediaId, MediaStore.UPLOAD, new ByteArrayInputStream(upload), upload.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String path(Person person, String end) {
    return "/v1/users/" + person.id() + end;
  }

  private static String registration(String handle) {
    return "{\"handle\":\"" + handle + "\",\"display_name\":\"A\"}";
  }

  /** Returns the response of a server with other settings. */
  private static Answer on(Map<String, Object> settings, Function<FeedServer, Answer> ask) {
    try (FeedServer other = FeedServer.start(settings)) {
      return ask.apply(other);
    }
  }

  /** Returns the response when a caller sends a request for a second account after a first one. */
  private static Answer second(Map<String, Object> settings, String method, String end) {
    return on(
        settings,
        other -> {
          SeedWorld world = other.world();
          Api one = other.as(world.user("one"));
          Expect.status(204, one.send(method, path(world.user("two"), end), null));
          return one.send(method, path(world.user("three"), end), null);
        });
  }

  /** A caller who is slowed down follows a second account. */
  private static Answer slowedDown(FeedServer other) {
    SeedWorld world = other.world();
    Person one = world.user("one");
    Api caller = other.as(one);
    Expect.status(204, caller.post(path(world.user("two"), "/follow")));
    String until = "{\"until\":\"" + Instant.now().plus(Duration.ofDays(1)) + "\"}";
    Expect.status(
        204,
        other.asOperator(one).put("/v1/operator/suspicious/" + one.id() + "/slow-down", until));
    return caller.post(path(world.user("three"), "/follow"));
  }

  /** The same caller follows a new account and unfollows it. */
  private static Answer unfollow(FeedServer other) {
    Api one = other.as("one");
    one.post("/v1/users", registration("one"));
    String follow = path(other.world().user("two"), "/follow");
    Expect.status(204, one.post(follow));
    return one.delete(follow);
  }

  private static String signed() throws JOSEException {
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .subject("ann")
            .expirationTime(Date.from(Instant.now().plus(Duration.ofMinutes(5))))
            .build();
    SignedJWT token =
        new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build(), claims);
    token.sign(new RSASSASigner(new RSAKeyGenerator(2048).generate()));
    return token.serialize();
  }
}
