package social.feed.ctl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.engine.EngineClients;
import social.feed.local.LocalPlatform;
import social.feed.local.PlatformSettings;
import social.feed.table.graph.FollowWriter;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.Posts;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.testkit.LongRunning;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.cost.Bill;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A day of a small platform costs what its plan says: all of it, from the requests to the last
 * effect, on the local platform, in units as AWS bills them. Each user follows nine others in a
 * ring, so that a page has 20 posts by ten authors, the reader among them. What happens at the same
 * time concerns different rows, so that no records share a cost.
 */
@LongRunning
class ITPlan {
  private static final int USERS = 12;
  private static final int FOLLOWED = 9;
  private static final int POSTS_BEFORE = 3;
  private static final int BACKFILL = 20;
  private static final double TOLERANCE = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String STAR = "0a1b2c3d-4e5f-6789-abcd-star00000000";
  private static final String FIRST = "0a1b2c3d-4e5f-6789-abcd-first0000000";

  /** What every user does in the day. */
  private static final int PAGES = 4;

  private static final int LIKES = 3;
  private static final int VIEWS = 2;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> tokens = new HashMap<>();
  private final List<String> posts = new ArrayList<>();
  private int keys;
  private LocalPlatform platform;
  private DynamoDbClient reader;
  private Table table;

  @BeforeEach
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory());
    reader =
        EngineClients.local(DynamoDbClient.builder(), platform.dynamodb())
            .httpClientBuilder(Apache5HttpClient.builder())
            .build();
    table = new Table(reader, PlatformSettings.TABLE, Retry.standard());
  }

  @AfterEach
  void stop() {
    reader.close();
    platform.close();
    http.close();
  }

  @Test
  void day_costsWhatThePlanSays() {
    prepare();
    ConsumedUnits measured;
    try (var bill = Bill.open(reader, PlatformSettings.TABLE)) {
      day();
      measured = bought(bill.takeCalls());
    }

    var planned = planned();
    System.out.printf("planned %s, measured %s%n", planned, measured);
    assertThat(measured.write()).isCloseTo(planned.write(), withinPercentage(TOLERANCE));
    assertThat(measured.read()).isCloseTo(planned.read(), withinPercentage(TOLERANCE));
  }

  /**
   * Returns the units without the scans by which the local platform removes expired rows, as
   * DynamoDB does itself. The longer a test takes, the more of them there are.
   */
  static ConsumedUnits bought(List<Bill.Call> calls) {
    return calls.stream()
        .filter(call -> !call.name().equals("Scan"))
        .map(Bill.Call::units)
        .reduce(ConsumedUnits.NONE, ConsumedUnits::plus);
  }

  /** The local platform reads the revision of the registry with each page. */
  private static ConsumedUnits planned() {
    var daily = new PlanInputs.Daily(PAGES, 0, 1, LIKES, 1, 1, 0, VIEWS, 1, 0, 2, 0, 1);
    var inputs =
        new PlanInputs(
            USERS, USERS, USERS, FOLLOWED, 2.276, 1e-9, daily, 1, 1, 100_000, 1, 36, 500);
    return new CapacityPlan(inputs, new Prices(Map.of()))
        .unitsOfActions()
        .plus(new ConsumedUnits(0.5 * PAGES * USERS, 0));
  }

  /** Everything that a day finds: accounts, old follows, posts, and inboxes. */
  private void prepare() {
    register(STAR);
    register(FIRST);
    var longAgo = Timestamps.now(Clock.systemUTC()).minus(Duration.ofDays(40));
    var random = new Random(1);
    for (int i = 0; i < BACKFILL; i++) {
      var at = longAgo.plus(Duration.ofDays(39)).plusSeconds(i);
      new Posts(table)
          .create(SamplePosts.by(STAR, at).randomId(random).text("a post " + i).build());
    }
    var yesterday = longAgo.plus(Duration.ofDays(39));
    for (int i = 0; i < USERS; i++) {
      int number = i;
      var user = user(i);
      register(user);
      var followed = IntStream.rangeClosed(1, FOLLOWED).mapToObj(next -> user(next + number));
      new FollowWriter(table, FOLLOWED)
          .adopt(followed.map(other -> Follow.of(user, other, longAgo)).toList());
      table.putAll(List.of(FeedActivity.at(user, yesterday)));
    }
    post(FIRST, "/v1/users/" + STAR + "/follow", "");
    platform.drain(PATIENCE);
    // The posts are a day old, so the notes of their deliveries have expired.
    new PartitionQueries(table).keys(Keys.user(STAR), Keys.DELIVERIES).forEach(table::deleteAll);
    for (int round = 0; round < POSTS_BEFORE; round++) {
      for (int i = 0; i < USERS; i++) {
        posts.add(writes(user(i), "before #sea" + i));
      }
    }
    platform.drain(PATIENCE);
    each(i -> likes(i, i + 1, 0));
    each(i -> get(user(i), "/v1/notifications/unread-count"));
    each(i -> post(user(i), "/v1/notifications/read-all", ""));
    each(i -> get(user(i), "/v1/notifications/unread-count"));
  }

  private void day() {
    for (int i = 0; i < USERS; i++) {
      post(user(i), "/v1/users/" + STAR + "/follow", "");
      platform.drain(PATIENCE);
    }
    for (int page = 0; page < PAGES; page++) {
      each(i -> assertThat(get(user(i), "/v1/feed?limit=20").get("items").size()).isEqualTo(20));
    }
    for (int like = 1; like <= LIKES; like++) {
      int next = like;
      each(i -> likes(i, i + next, 1));
    }
    each(i -> post(user(i), "/v1/posts/" + postOf(i + 1, 1) + "/comments", "{\"text\":\"Hi\"}"));
    for (int view = 1; view <= VIEWS; view++) {
      int next = view;
      each(i -> get(user(i), "/v1/posts/" + postOf(i + next, 1)));
    }
    each(i -> get(user(i), "/v1/users/" + user(i + 1)));
    for (int count = 0; count < 2; count++) {
      each(i -> get(user(i), "/v1/notifications/unread-count"));
    }
    each(i -> post(user(i), "/v1/notifications/read-all", ""));
    post(STAR, "/v1/notifications/read-all", "");
    each(i -> writes(user(i), "today #sea" + i));
  }

  private void each(IntConsumer action) {
    IntStream.range(0, USERS).forEach(action);
    platform.drain(PATIENCE);
  }

  private void likes(int user, int author, int post) {
    post(user(user), "/v1/posts/" + postOf(author, post) + "/like", "");
  }

  private String postOf(int author, int round) {
    return posts.get(round * USERS + author % USERS);
  }

  private static String user(int number) {
    return "0a1b2c3d-4e5f-6789-abcd-%012d".formatted(number % USERS);
  }

  private void register(String user) {
    var token = send("POST", "", "/v1/dev/tokens", "{\"user_id\":\"%s\"}".formatted(user));
    tokens.put(user, token.get("access_token").getStringValue());
    var handle = "user_" + tokens.size();
    post(user, "/v1/users", "{\"handle\":\"%1$s\",\"display_name\":\"%1$s\"}".formatted(handle));
  }

  private String writes(String user, String text) {
    var body = "{\"text\":\"%s\"}".formatted(text);
    return send("POST", user, "/v1/posts", body, "key-" + keys++).get("id").getStringValue();
  }

  private JsonNode get(String user, String path) {
    return send("GET", user, path, "");
  }

  private JsonNode post(String user, String path, String body) {
    return send("POST", user, path, body);
  }

  private JsonNode send(String method, String user, String path, String body) {
    return send(method, user, path, body, "");
  }

  private JsonNode send(String method, String user, String path, String body, String key) {
    var request =
        HttpRequest.newBuilder(URI.create(platform.api() + path))
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!user.isEmpty()) {
      request.header("Authorization", "Bearer " + tokens.get(user));
    }
    if (!key.isEmpty()) {
      request.header("Idempotency-Key", key);
    }
    try {
      var response = http.send(request.build(), BodyHandlers.ofString());
      assertThat(response.statusCode()).as(path + " " + response.body()).isBetween(200, 299);
      return response.body().isEmpty()
          ? JsonNode.nullNode()
          : JsonMapper.createDefault().readValue(response.body(), JsonNode.class);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
