package social.feed.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.event.EventType;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Webhook;
import social.feed.table.webhook.Webhooks;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

/** Webhooks through the API, and calls of real servers on this machine. */
@ExtendWith(FeedServerExtension.class)
class ITWebhookRoutes {
  private static final String NOWHERE = "http://127.0.0.1:9/";

  private final FeedServer server;
  private final Person ann;
  private final Api operator;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<Map<String, String>> received = new CopyOnWriteArrayList<>();

  ITWebhookRoutes(FeedServer server, SeedWorld world) {
    this.server = server;
    this.ann = world.user("ann");
    this.operator = server.asOperator(ann);
  }

  @AfterEach
  void stop() throws Exception {
    for (var one : open.reversed()) {
      one.close();
    }
  }

  private static String url(String url) {
    return "{\"url\":\"" + url + "\"}";
  }

  private Answer create(String json) {
    return operator.post("/v1/webhooks", json);
  }

  private String created(String url) {
    return Expect.status(201, create(url(url))).at("id");
  }

  @Test
  void webhook_isCreatedShownChangedAndDeleted() {
    Answer created =
        Expect.status(
            201,
            create(
                "{\"url\":\"%s\",\"event_types\":[\"post.deleted\",\"post.created\"],\"description\":\"Search\"}"
                    .formatted(NOWHERE)));
    String id = created.at("id");
    String path = "/v1/webhooks/" + id;
    assertThat(created.header("Location")).hasValue(path);
    assertThat(created.at("secret")).startsWith("whsec_");
    assertThat(created.at("enabled")).isEqualTo("true");

    Answer shown = Expect.status(200, operator.get(path));
    assertThat(shown.text()).doesNotContain("whsec_").doesNotContain("secret");
    assertThat(shown.at("description")).isEqualTo("Search");
    assertThat(texts(shown.json().get("event_types")))
        .containsExactly("post.created", "post.deleted");
    Answer listed = Expect.status(200, operator.get("/v1/webhooks"));
    assertThat(listed.text()).contains(id).doesNotContain("whsec_");

    Answer changed =
        Expect.status(
            200,
            operator.patch(path, "{\"enabled\":false,\"event_types\":[],\"description\":\"\"}"));
    assertThat(changed.at("enabled")).isEqualTo("false");
    assertThat(texts(changed.json().get("event_types"))).isEmpty();
    assertThat(changed.text()).doesNotContain("description").doesNotContain("whsec_");
    assertThat(changed.at("url")).isEqualTo(NOWHERE);

    Expect.status(204, operator.delete(path));
    Expect.problem(404, "not_found", operator.get(path));
    Expect.problem(404, "not_found", operator.delete(path));
    Expect.problem(404, "not_found", operator.patch(path, "{}"));
    Expect.problem(404, "not_found", operator.post(path + "/test"));
    Expect.problem(404, "not_found", operator.get(path + "/deliveries"));
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.values().forEach(text -> texts.add(text.getStringValue()));
    return texts;
  }

  /** It hides no other one, and its secret is nowhere. */
  @Test
  void rowThatCannotBeDecoded_isListedAndCanBeDeleted() {
    String good = created(NOWHERE);
    String bad = created(NOWHERE);
    server
        .table()
        .table()
        .update(
            Webhook.key(bad), new Update().set("created_at", "unreadable"), Condition.present());

    Answer listed = Expect.status(200, operator.get("/v1/webhooks"));

    List<String> shown = new ArrayList<>();
    listed.json().get("items").values().forEach(one -> shown.add(one.get("id").getStringValue()));
    assertThat(shown).contains(good).doesNotContain(bad);
    assertThat(texts(listed.json().get("unreadable"))).containsExactly(bad);
    assertThat(listed.text()).doesNotContain("whsec_");
    Expect.status(204, operator.delete("/v1/webhooks/" + bad));
    assertThat(texts(operator.get("/v1/webhooks").json().get("unreadable"))).isEmpty();
  }

  @Test
  void change_ofOneField_keepsTheOthers() {
    String path = "/v1/webhooks/" + created(NOWHERE);
    String types = "[\"post.created\"]";
    Expect.status(
        200,
        operator.patch(
            path,
            "{\"enabled\":false,\"event_types\":%s,\"description\":\"Old\"}".formatted(types)));

    Answer changed = Expect.status(200, operator.patch(path, "{\"description\":\"New\"}"));

    assertThat(changed.at("description")).isEqualTo("New");
    assertThat(changed.at("enabled")).isEqualTo("false");
    assertThat(texts(changed.json().get("event_types"))).containsExactly("post.created");
    assertThat(changed.at("url")).isEqualTo(NOWHERE);
  }

  @Test
  void change_withAFlagThatIsNoBoolean_isRefused() {
    String path = "/v1/webhooks/" + created(NOWHERE);
    for (String change : List.of("{\"enabled\":1}", "{\"rotate_secret\":\"true\"}")) {
      Answer answer = operator.with("Content-Type", "application/json").send("PATCH", path, change);
      assertThat(answer.status()).as(change).isEqualTo(400);
    }
    Expect.status(
        200,
        operator
            .with("Content-Type", "application/json")
            .send("PATCH", path, "{\"enabled\":false}"));
  }

  @Test
  void developmentToken_withAScopeThatIsNoText_isRefused() {
    for (String scopes : List.of("[false]", "[1]", "[null]", "\"feed:operate\"", "[\"a b\"]")) {
      Answer answer =
          server
              .anonymous()
              .with("Content-Type", "application/json")
              .send("POST", "/v1/dev/tokens", "{\"user_id\":\"eve\",\"scopes\":" + scopes + "}");
      assertThat(answer.status()).as(scopes).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[\"feed:other\"]", "[\"feed:operate2\",\"xfeed:operate\"]"})
  void callerWithoutTheScope_learnsNothing(String scopes) {
    String id = created(NOWHERE);
    String request = "{\"user_id\":\"eve\",\"scopes\":" + scopes + "}";
    Api eve =
        server
            .anonymous()
            .withToken(server.anonymous().post("/v1/dev/tokens", request).at("access_token"));

    Answer hidden = eve.get("/v1/webhooks/" + id);
    Expect.problem(404, "not_found", hidden);
    assertThat(hidden.header("X-Consumed-Read-Units")).isEmpty();
    Expect.problem(404, "not_found", eve.get("/v1/webhooks"));
    // Also with a request that would be malformed.
    Expect.problem(404, "not_found", eve.post("/v1/webhooks", "{"));
    Expect.problem(404, "not_found", eve.get("/v1/webhooks?limit="));
  }

  @Test
  void callerWithMoreScopes_isAnOperator() {
    String request = "{\"user_id\":\"eve\",\"scopes\":[\"openid\",\"feed:operate\"]}";
    String token = server.anonymous().post("/v1/dev/tokens", request).at("access_token");

    Expect.status(200, server.anonymous().withToken(token).get("/v1/webhooks"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://127.0.0.1/",
        "https://localhost/",
        "https://[::1]/",
        "https://2130706433/",
        "https://169.254.169.254/latest/meta-data",
        "https://10.1.2.3/",
        "https://[fd00:ec2::254]/",
        "https://nothing.invalid/",
        "https://user:password@8.8.8.8/",
        "https://8.8.8.8/#part",
        "http://8.8.8.8/",
        "ftp://8.8.8.8/",
        "//8.8.8.8/",
        "https://",
        "https:// /",
        "https://8.8.8.8:0/",
        "https://8.8.8.8:65536/",
        "https://8.8.8.8:99999/",
        "x"
      })
  void addressThatMayNotBeCalled_isRefused(String address) {
    FeedServer strict = server.another(Map.of("feed.webhooks.allow-private", false));
    try {
      Api caller = strict.asOperator(ann);
      Answer made = Expect.status(201, caller.post("/v1/webhooks", url("https://8.8.8.8/hook")));
      Expect.problem(422, "webhook_refused", caller.post("/v1/webhooks", url(address)));
      Expect.problem(
          422, "webhook_refused", caller.patch("/v1/webhooks/" + made.at("id"), url(address)));
    } finally {
      strict.stop();
    }
  }

  @Test
  void requestThatIsWrong_isRefused() {
    Expect.problem(400, "invalid_request", create("{}"));
    Expect.problem(400, "invalid_request", create(url("")));
    Expect.problem(400, "invalid_request", create(url(NOWHERE + "x".repeat(2_048))));
    for (String types :
        List.of(
            "[null]",
            "[\"\"]",
            "[1]",
            "[[\"post.created\"]]",
            "[\"POST.CREATED\"]",
            "\"post.created\"")) {
      Expect.problem(400, "invalid_request", create(with("event_types", types)));
    }
    Expect.blames(422, "event_types", create(with("event_types", "[\"post.read\"]")));
    Expect.blames(422, "event_types", create(with("event_types", "[\"webhook.test\"]")));
    Expect.blames(422, "description", create(with("description", "\"" + "x".repeat(501) + "\"")));
    Expect.problem(400, "invalid_request", create(with("secret", "\"whsec_AAAA\"")));
  }

  private static String with(String field, String json) {
    return "{\"url\":\"%s\",\"%s\":%s}".formatted(NOWHERE, field, json);
  }

  /** The message names them all, and each can be subscribed to. */
  @Test
  void everyTypeOfEvent_canBeWanted() {
    for (EventType type : EventType.values()) {
      Answer answer = create(with("event_types", "[\"" + type.eventName() + "\"]"));
      assertThat(answer.status())
          .as(type.eventName())
          .isEqualTo(type == EventType.WEBHOOK_TEST ? 422 : 201);
    }
  }

  @Test
  void webhooks_createdAtOnce_areNotMoreThanTheMaximum() throws Exception {
    try (FeedServer small = FeedServer.start(Map.of("feed.webhooks.max", 3))) {
      Api caller = small.asOperator(small.world().user("one"));
      List<Integer> statuses = new ArrayList<>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Answer>> sent =
            IntStream.range(0, 12)
                .mapToObj(
                    i ->
                        threads.submit(
                            () ->
                                (i % 2 == 0 ? caller.with("Idempotency-Key", "k" + i) : caller)
                                    .post("/v1/webhooks", url(NOWHERE))))
                .toList();
        for (var answer : sent) {
          statuses.add(answer.get().status());
        }
      }
      assertThat(statuses).filteredOn(status -> status == 201).hasSize(3);
      assertThat(statuses).filteredOn(status -> status == 422).hasSize(9);
      assertThat(caller.get("/v1/webhooks").json().get("items").size()).isEqualTo(3);
    }
  }

  @Test
  void test_isASignedCall_andIsListed() throws Exception {
    var to = listening(answering(204));
    Answer created = Expect.status(201, create(url(to + "/hook?x=1")));
    String path = "/v1/webhooks/" + created.at("id");

    Answer tested = Expect.status(200, operator.post(path + "/test"));

    assertThat(tested.at("delivered")).isEqualTo("true");
    assertThat(tested.at("status")).isEqualTo("204");
    assertThat(tested.at("event_type")).isEqualTo("webhook.test");
    var call = received.getFirst();
    assertThat(call).containsEntry("path", "/hook?x=1");
    assertThat(call).containsEntry("webhook-id", tested.at("event_id"));
    assertThat(call.get("body")).contains("\"webhook.test\"").contains(created.at("id"));
    assertThat(String.valueOf(call.get("webhook-signature")))
        .isEqualTo("v1," + signature(created.at("secret"), call));
    JsonNode listed = operator.get(path + "/deliveries").json().get("items");
    assertThat(listed.size()).isEqualTo(1);
    assertThat(listed.get(0).get("event_id").getStringValue()).isEqualTo(tested.at("event_id"));
  }

  @Test
  void tests_areDifferentEvents() throws Exception {
    var to = listening(answering(204));
    String path = "/v1/webhooks/" + created(to + "/");

    String one = operator.post(path + "/test").at("event_id");
    String two = operator.post(path + "/test").at("event_id");

    assertThat(one).isNotEqualTo(two);
  }

  @Test
  void test_ofADisabledWebhookThatFails_saysWhy() throws Exception {
    var to = listening(answering(500));
    String path = "/v1/webhooks/" + created(to + "/");
    Expect.status(200, operator.patch(path, "{\"enabled\":false}"));

    Answer tested = Expect.status(200, operator.post(path + "/test"));

    assertThat(tested.at("delivered")).isEqualTo("false");
    assertThat(tested.at("status")).isEqualTo("500");
    assertThat(tested.at("error")).contains("500");
    Answer unreachable =
        Expect.status(200, operator.post("/v1/webhooks/" + created(NOWHERE) + "/test"));
    assertThat(unreachable.at("delivered")).isEqualTo("false");
    assertThat(unreachable.text()).doesNotContain("\"status\"");
  }

  /** The address was allowed when it was stored, and is checked again when it is called. */
  @Test
  void test_ofAnAddressInsideTheNetwork_callsNothing() throws Exception {
    var to = listening(answering(204));
    String path = "/v1/webhooks/" + created(to.replace("http:", "https:") + "/");
    FeedServer strict = server.another(Map.of("feed.webhooks.allow-private", false));
    try {
      Answer tested = Expect.status(200, strict.asOperator(ann).post(path + "/test"));

      assertThat(tested.at("delivered")).isEqualTo("false");
      assertThat(tested.at("error")).contains("not a public address");
    } finally {
      strict.stop();
    }
    assertThat(received).isEmpty();
  }

  @Test
  void secret_thatIsReplaced_signsNextToTheNewOne() throws Exception {
    var to = listening(answering(204));
    Answer created = Expect.status(201, create(url(to + "/")));
    String path = "/v1/webhooks/" + created.at("id");

    Answer rotated = Expect.status(200, operator.patch(path, "{\"rotate_secret\":true}"));
    Expect.status(200, operator.post(path + "/test"));

    assertThat(rotated.at("secret")).startsWith("whsec_").isNotEqualTo(created.at("secret"));
    var call = received.getFirst();
    assertThat(String.valueOf(call.get("webhook-signature")).split(" ", -1))
        .containsExactly(
            "v1," + signature(rotated.at("secret"), call),
            "v1," + signature(created.at("secret"), call));
    assertThat(operator.patch(path, "{\"rotate_secret\":false}").text()).doesNotContain("whsec_");
  }

  /** A second replacement within a day must not end the first secret early. */
  @Test
  void secrets_thatAreReplacedWithinADay_signUntilTheirDaysEnd() throws Exception {
    var to = listening(answering(204));
    Answer created = Expect.status(201, create(url(to + "/")));
    String path = "/v1/webhooks/" + created.at("id");
    List<String> secrets = new ArrayList<>(List.of(created.at("secret")));
    for (int i = 0; i < 4; i++) {
      secrets.addFirst(
          Expect.status(200, operator.patch(path, "{\"rotate_secret\":true}")).at("secret"));
    }

    Answer refused = operator.patch(path, "{\"rotate_secret\":true,\"description\":\"x\"}");
    Expect.problem(429, "too_many_secrets", refused);
    assertThat(Long.parseLong(refused.header("Retry-After").orElseThrow()))
        .isBetween(86_000L, 86_400L);
    assertThat(operator.get(path).text()).as("nothing was changed").doesNotContain("description");
    Expect.status(200, operator.patch(path, "{\"description\":\"x\"}"));
    Expect.status(200, operator.post(path + "/test"));

    var call = received.getFirst();
    List<String> signatures = new ArrayList<>();
    for (String secret : secrets) {
      signatures.add("v1," + signature(secret, call));
    }
    assertThat(String.valueOf(call.get("webhook-signature")).split(" ", -1))
        .containsExactly(signatures.toArray(String[]::new));
  }

  @Test
  void secretsThatAreTooMany_areRefused_untilTheFirstEnds() {
    String id = created(NOWHERE);
    Instant now = Instant.now();
    new Webhooks(server.table().table(), 99)
        .change(id, one -> one.withSecret("whsec_x", now, now.plusSeconds(600)));
    String rotation = "{\"rotate_secret\":true}";
    for (int i = 1; i < Webhook.FORMER_MAX; i++) {
      Expect.status(200, operator.patch("/v1/webhooks/" + id, rotation));
    }

    Answer refused = operator.patch("/v1/webhooks/" + id, rotation);

    Expect.problem(429, "too_many_secrets", refused);
    assertThat(Long.parseLong(refused.header("Retry-After").orElseThrow())).isBetween(1L, 600L);
  }

  /** Each one holds a connection while the other side is slow. */
  @Test
  void tests_moreThanFourAtOnce_areRefused() throws Exception {
    var arrived = new CountDownLatch(4);
    var end = new CountDownLatch(1);
    var to =
        listening(
            exchange -> {
              arrived.countDown();
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              exchange.sendResponseHeaders(204, -1);
              exchange.close();
            });
    String path = "/v1/webhooks/" + created(to + "/") + "/test";
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> slow =
          IntStream.range(0, 4).mapToObj(_ -> threads.submit(() -> operator.post(path))).toList();
      arrived.await();

      Answer refused = operator.post(path);

      end.countDown();
      Expect.problem(429, "rate_limited", refused);
      assertThat(refused.header("Retry-After")).isPresent();
      for (var answer : slow) {
        assertThat(answer.get().at("delivered")).isEqualTo("true");
      }
    }
    assertThat(operator.post(path).at("delivered")).isEqualTo("true");
  }

  /** The record of a key would name the account. */
  @Test
  void operatorWhoseAccountIsErased_createsNothing() {
    Expect.status(202, operator.delete("/v1/users/me"));
    Api keyed = operator.with("Idempotency-Key", "one");

    Expect.problem(409, "account_erased", keyed.post("/v1/webhooks", url(NOWHERE)));

    assertThat(
            new TableScanner(server.table().table())
                .items()
                .flatMap(List::stream)
                .map(TableScanner.Stored.class::cast)
                .filter(stored -> stored.key().partition().startsWith("IDEMP#" + ann.id())))
        .isEmpty();
  }

  @Test
  void operatorWithoutAProfile_managesWebhooks() {
    Api other = server.anonymous().asOperator("operator-1");
    String id = Expect.status(201, other.post("/v1/webhooks", url(NOWHERE))).at("id");

    Expect.status(200, operator.get("/v1/webhooks/" + id));
    Expect.status(204, other.delete("/v1/webhooks/" + id));
  }

  @Test
  void routes_withoutTheSetting_doNotExist() {
    FeedServer off = server.another(Map.of("feed.webhooks.enabled", false));
    try {
      Expect.problem(404, "not_found", off.asOperator(ann).get("/v1/webhooks"));
    } finally {
      off.stop();
    }
  }

  private String listening(HttpHandler handler) throws IOException {
    var http = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 10);
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    http.setExecutor(threads);
    http.createContext("/", handler);
    http.start();
    open.add(threads::shutdownNow);
    open.add(() -> http.stop(0));
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  private HttpHandler answering(int status) {
    return exchange -> {
      var fields = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
      exchange.getRequestHeaders().forEach((name, all) -> fields.put(name, all.getFirst()));
      fields.put("path", exchange.getRequestURI().toString());
      fields.put(
          "body", new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      received.add(fields);
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    };
  }

  private static String signature(String secret, Map<String, String> call)
      throws GeneralSecurityException {
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(
        new SecretKeySpec(
            Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
    var signed =
        call.get("webhook-id") + "." + call.get("webhook-timestamp") + "." + call.get("body");
    return Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
  }
}
