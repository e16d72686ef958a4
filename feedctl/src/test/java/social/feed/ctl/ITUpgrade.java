package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Upgrades a table that an earlier version of the platform wrote: its likes and comments have no
 * keys in GSI2, its rows of tags have other keys, its quotas lack attributes, and an erasure waits
 * for a timer of its own.
 */
@LongRunning
class ITUpgrade {
  /** The threshold of the platform that wrote the items. */
  private static final long CELEBRITIES_FROM = 3;

  private static final String ERASED = "gus";

  /** The kinds whose items TTL has deleted after two days. */
  private static final Set<RowKind> EXPIRED =
      Set.of(RowKind.ERASURE_ALARM, RowKind.IDEMPOTENCY_RECORD);

  /** Items that expire during a test are left out. */
  private static final Duration MARGIN = Duration.ofHours(1);

  private static final int PAGE = 7;

  /** Smaller than what a caller may request at once. */
  private static final int WRITES = 40;

  private final VerifyWorld world = new VerifyWorld(CELEBRITIES_FROM);
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> tokens = new ConcurrentHashMap<>();
  private final List<Map<String, AttributeValue>> old = EarlierTable.items();

  @BeforeEach
  void load() {
    var there = old.stream().filter(item -> !isExpired(item)).toList();
    assertThat(there)
        .as("all but the expired kinds")
        .isEqualTo(
            old.stream().filter(item -> !EXPIRED.contains(EarlierTable.kind(item))).toList());
    there.forEach(world::plant);
    world.drain();
  }

  @AfterEach
  void stop() {
    http.close();
    world.close();
  }

  @Test
  void oldTable_isRepairedWhileItIsUsed_andIsCompleteThen() {
    assertThat(oldKeys(RowKind.LIKE, "GSI2PK"))
        .as("an old like has no key in GSI2")
        .containsOnly("");
    assertThat(listed("bob", "/v1/users/me/likes", "post")).isEmpty();

    var isDone = new AtomicBoolean();
    var progress = new ByteArrayOutputStream();
    CommandRun fixed;
    try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
      var writing =
          Stream.of("bob", "cleo", "dan")
              .map(id -> CompletableFuture.supplyAsync(() -> write(id, isDone), writers))
              .toList();
      fixed = fix(progress);
      isDone.set(true);
      assertThat(writing.stream().mapToInt(CompletableFuture::join)).allMatch(done -> done > 0);
    }
    world.drain();

    assertThat(fixed.text()).contains("index keys").doesNotContain("not settled");
    assertThat(progress.toString(StandardCharsets.UTF_8))
        .contains("rows scanned", "repairing index keys");
    requireNoDrift();
    var items = world.items();
    requireComplete(items);
    var rows = items.stream().map(RowCodec::decode).toList();
    for (var id : List.of("bob", "cleo", "fay", "hal")) {
      var liked = of(Like.class, rows).filter(like -> like.userId().equals(id));
      assertThat(listed(id, "/v1/users/me/likes", "post"))
          .containsExactlyInAnyOrderElementsOf(liked.map(Like::postId).toList());
    }
    var comments = of(Comment.class, rows).filter(comment -> comment.authorId().equals("bob"));
    assertThat(listed("bob", "/v1/users/me/comments", "comment"))
        .containsExactlyInAnyOrderElementsOf(comments.map(Comment::commentId).toList());
    assertThat(ids("bob", "/v1/users/ann/mutuals")).containsExactly("bob");
    assertThat(ids("bob", "/v1/users/ann/followers")).containsExactlyInAnyOrder("bob", "cleo");
  }

  @Test
  void erasureThatWaitsForItsOwnTimer_isFinished() {
    world.fix();
    var timer =
        old.stream()
            .filter(item -> EarlierTable.kind(item) == RowKind.ERASURE_ALARM)
            .findAny()
            .orElseThrow();
    expire(timer);
    var sweeps = new ErasureSweeps(world.table(), ErasureSweeps.Settings.unpaced());
    for (int sweep = 1; sweep <= 2; sweep++) {
      sweeps.wake(Fault.now().plus(ErasureSweeps.MAX_PERIOD.multipliedBy(sweep)));
      world.drain();
    }

    var erasure =
        new Erasures(world.table(), new Users(world.table())).hashed(Erasure.hash(ERASED));
    assertThat(erasure.map(Erasure::step)).contains(ErasureStep.ERASED);
    assertThat(CommandRun.on(world.platform(), "erasure", ERASED, "--prove").text())
        .contains("0 rows name the account.");
    requireNoDrift();
  }

  /**
   * Likes and comments on what is there, takes some of it back, and writes posts, until the end.
   */
  private int write(String id, AtomicBoolean isDone) {
    int done = 0;
    var posts =
        of(Post.class, old.stream().map(RowCodec::decode).toList())
            .filter(post -> post.authorId().equals("ann"))
            .map(Post::postId)
            .toList();
    for (int i = 0; i < WRITES && (i == 0 || !isDone.get()); i++) {
      var post = posts.get(i % posts.size());
      done += send(id, "POST", "/v1/posts/" + post + "/like", "").statusCode() < 300 ? 1 : 0;
      send(id, "POST", "/v1/posts/" + post + "/comments", "{\"text\":\"meanwhile\"}");
      if (i % 3 == 0) {
        send(
            id,
            "DELETE",
            "/v1/posts/" + posts.get(posts.size() - 1 - i % posts.size()) + "/like",
            "");
        send(id, "POST", "/v1/posts", "{\"text\":\"meanwhile #java\"}");
      }
    }
    return done;
  }

  /** Every number is the number of its rows, and every item has the keys of its indexes. */
  private static void requireComplete(Set<Map<String, AttributeValue>> items) {
    var rows = items.stream().map(RowCodec::decode).toList();
    assertThat(items)
        .allSatisfy(
            item -> assertThat(item).containsAllEntriesOf(KeyAttributes.of(RowCodec.decode(item))));
    of(Post.class, rows)
        .forEach(
            post -> {
              var id = post.postId();
              assertThat(post.likesCount())
                  .isEqualTo(of(Like.class, rows).filter(it -> it.postId().equals(id)).count());
              assertThat(post.commentsCount())
                  .isEqualTo(of(Comment.class, rows).filter(it -> it.postId().equals(id)).count());
            });
    of(User.class, rows)
        .forEach(
            user -> {
              var id = user.userId();
              assertThat(user.followersCount())
                  .isEqualTo(
                      of(Follow.class, rows).filter(it -> it.followeeId().equals(id)).count());
              assertThat(user.postsCount())
                  .isEqualTo(of(Post.class, rows).filter(it -> it.authorId().equals(id)).count());
            });
  }

  private static <R extends Row> Stream<R> of(Class<R> type, List<Row> rows) {
    return rows.stream().filter(type::isInstance).map(type::cast);
  }

  /** Deletes an item as TTL does; the local sweep marks it first. */
  private void expire(Map<String, AttributeValue> item) {
    var marked = new HashMap<>(item);
    marked.put("swept", AttributeValue.fromBool(true));
    marked.put("expires_at", AttributeValue.fromN("1"));
    world.plant(marked);
    world.table().deleteAll(List.of(KeyAttributes.key(item)));
    world.drain();
  }

  private void requireNoDrift() {
    var report = world.verify();
    assertThat(report.isClean()).as(report.render()).isTrue();
  }

  private List<String> oldKeys(RowKind kind, String attribute) {
    return old.stream()
        .filter(item -> EarlierTable.kind(item) == kind)
        .map(item -> item.containsKey(attribute) ? item.get(attribute).s() : "")
        .toList();
  }

  private static boolean isExpired(Map<String, AttributeValue> item) {
    var at = item.get("expires_at");
    return at != null
        && Instant.ofEpochSecond(Long.parseLong(at.n())).isBefore(Instant.now().plus(MARGIN));
  }

  // Commands

  /** Runs {@code verify --fix}, whose progress goes to the standard error of the process. */
  private CommandRun fix(ByteArrayOutputStream progress) {
    var before = System.err;
    System.setErr(new PrintStream(progress, true, StandardCharsets.UTF_8));
    try {
      return CommandRun.on(
          world.platform(),
          "verify",
          "--fix",
          "--celebrity-threshold",
          Long.toString(CELEBRITIES_FROM));
    } finally {
      System.setErr(before);
    }
  }

  // The API

  /** Returns the ids of one part of each item of a list, which is read in small pages. */
  private List<String> listed(String caller, String path, String part) {
    return all(caller, path).stream()
        .map(item -> item.get(part).get("id").getStringValue())
        .toList();
  }

  private List<String> ids(String caller, String path) {
    return all(caller, path).stream().map(item -> item.get("id").getStringValue()).toList();
  }

  private List<JsonNode> all(String caller, String path) {
    var all = new ArrayList<JsonNode>();
    var cursor = "";
    do {
      var page = json(send(caller, "GET", path + "?limit=" + PAGE + cursor, ""));
      page.get("items").values().forEach(all::add);
      var next = page.get("next_cursor");
      var following = next == null ? "" : "&cursor=" + next.getStringValue();
      assertThat(following.isEmpty() || !following.equals(cursor)).as("pages end").isTrue();
      cursor = following;
    } while (!cursor.isEmpty());
    return all;
  }

  private HttpResponse<String> send(String caller, String method, String path, String body) {
    var token =
        caller.isEmpty()
            ? ""
            : tokens.computeIfAbsent(
                caller,
                id ->
                    json(send("", "POST", "/v1/dev/tokens", "{\"user_id\":\"" + id + "\"}"))
                        .get("access_token")
                        .getStringValue());
    var request =
        HttpRequest.newBuilder(world.platform().api().resolve(path))
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode json(HttpResponse<String> response) {
    return json(response.body());
  }

  private static JsonNode json(String text) {
    try {
      return JsonMapper.createDefault().readValue(text, JsonNode.class);
    } catch (IOException e) {
      throw new UncheckedIOException(text, e);
    }
  }
}
