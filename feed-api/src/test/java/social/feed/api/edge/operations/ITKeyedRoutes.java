package social.feed.api.edge.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.row.Webhook;
import social.feed.testkit.SeedWorld;

/** Every route that takes an {@code Idempotency-Key}, as the document names them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(FeedServerExtension.class)
class ITKeyedRoutes {
  private static final String PARAMETER = "Idempotency-Key";
  private static final int AT_ONCE = 12;

  private final FeedServer server;
  private final Map<String, Document.Operation> operations;

  ITKeyedRoutes(FeedServer server) {
    this.server = server;
    this.operations = Document.operations(server.anonymous());
  }

  /**
   * A request that creates a resource, from a caller that has only an account.
   *
   * @param other another body with which it would create something
   */
  private record Creation(Api caller, String userId, String path, String body, String other) {
    Answer sent() {
      return caller.post(path, body);
    }

    Creation withOther() {
      return new Creation(caller, userId, path, other, body);
    }
  }

  private Stream<String> keyed() {
    return operations.entrySet().stream()
        .filter(operation -> operation.getValue().hasParameter(PARAMETER))
        .map(Map.Entry::getKey);
  }

  private Creation creation(String operation) {
    SeedWorld world = server.world();
    var ann = world.user("ann");
    String text = "{\"text\":\"once\"}";
    String other = "{\"text\":\"other\"}";
    return switch (operation) {
      case "post /v1/users" -> {
        String handle = "new_" + ann.account().handle();
        String body = "{\"handle\":\"%s\",\"display_name\":\"A\"}";
        yield creation(
            "new-" + ann.id(), "/v1/users", body.formatted(handle), body.formatted("x" + handle));
      }
      case "post /v1/media" -> {
        String body = "{\"content_type\":\"image/png\",\"bytes\":%d,\"sha256\":\"%s\"}";
        String digest = "0".repeat(64);
        yield creation(ann.id(), "/v1/media", body.formatted(9, digest), body.formatted(8, digest));
      }
      case "post /v1/posts" -> creation(ann.id(), "/v1/posts", text, other);
      case "post /v1/posts/{id}/comments" ->
          creation(
              ann.id(),
              "/v1/posts/" + world.user("bob").posts("x").postId() + "/comments",
              text,
              other);
      case "post /v1/webhooks" -> {
        String body = "{\"url\":\"http://127.0.0.1:9/%s\",\"enabled\":%s}";
        yield new Creation(
            server.asOperator(ann).with("Idempotency-Key", "k1"),
            ann.id(),
            "/v1/webhooks",
            body.formatted(ann.id(), true),
            body.formatted(ann.id(), false));
      }
      default -> throw new AssertionError("No request is defined for " + operation);
    };
  }

  private Creation creation(String userId, String path, String body, String other) {
    return new Creation(server.as(userId).with("Idempotency-Key", "k1"), userId, path, body, other);
  }

  /** Returns the stored rows of an account without its idempotency records. */
  private Set<Key> stored(Creation creation) {
    Set<Key> keys = new HashSet<>();
    new TableScanner(server.table().table())
        .items()
        .flatMap(List::stream)
        .map(TableScanner.Stored.class::cast)
        .filter(stored -> !(stored.row() instanceof IdempotencyRecord))
        .filter(stored -> isOf(creation, stored.row()))
        .forEach(stored -> keys.add(stored.key()));
    return keys;
  }

  private static boolean isOf(Creation creation, Row row) {
    return row.referencedAccounts().contains(creation.userId())
        || (row instanceof Webhook webhook && webhook.url().endsWith("/" + creation.userId()));
  }

  /** How many rows there are more when it is done once. */
  private int rowsOf(String operation) {
    Creation once = creation(operation);
    Set<Key> before = stored(once);
    Expect.status(201, once.sent());
    Set<Key> after = stored(once);
    after.removeAll(before);
    assertThat(after).isNotEmpty();
    return after.size();
  }

  private static void assertSame(Answer first, Answer second) {
    assertThat(second.status()).isEqualTo(first.status());
    assertThat(second.text()).isEqualTo(first.text());
    assertThat(second.header("Location")).isPresent().isEqualTo(first.header("Location"));
    assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
  }

  private static List<Answer> atOnce(List<Creation> requests) throws Exception {
    CyclicBarrier start = new CyclicBarrier(requests.size());
    List<Answer> answers = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> sent = new ArrayList<>();
      for (Creation request : requests) {
        sent.add(
            threads.submit(
                () -> {
                  start.await();
                  return request.sent();
                }));
      }
      for (Future<Answer> answer : sent) {
        answers.add(answer.get());
      }
    }
    return answers;
  }

  /** The other POST routes have the same effect when they are sent again. */
  @Test
  void routesThatCreate_areThoseThatTakeAKey() {
    Map<String, Boolean> posting = new TreeMap<>();
    operations.forEach(
        (name, operation) -> {
          if (name.startsWith("post ")) {
            posting.put(name, operation.statuses().contains("201"));
          } else {
            assertThat(operation.hasParameter(PARAMETER)).as(name).isFalse();
            assertThat(operation.statuses()).as(name).doesNotContain("201");
          }
        });

    assertThat(posting.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey))
        .containsExactlyElementsOf(keyed().sorted().toList());
    assertThat(posting.entrySet().stream().filter(e -> !e.getValue()).map(Map.Entry::getKey))
        .containsExactly(
            "post /v1/dev/tokens",
            "post /v1/media/{id}/complete",
            "post /v1/notifications/read-all",
            "post /v1/notifications/{id}/read",
            "post /v1/operator/suspicious/{id}/dismiss",
            "post /v1/posts/{id}/like",
            "post /v1/users/{id}/follow",
            "post /v1/webhooks/{id}/test");
  }

  @ParameterizedTest
  @MethodSource("keyed")
  void retry_afterSuccess_isAnsweredTheSame(String operation) {
    Creation creation = creation(operation);
    Answer first = Expect.status(201, creation.sent());
    Set<Key> before = stored(creation);

    assertSame(first, creation.sent());
    assertSame(first, creation.sent());

    assertThat(stored(creation)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("keyed")
  void retries_atTheSameMoment_takeEffectOnce(String operation) throws Exception {
    Creation creation = creation(operation);
    Set<Key> before = stored(creation);

    List<Answer> answers = atOnce(Collections.nCopies(AT_ONCE, creation));

    Answer first = Expect.status(201, answers.getFirst());
    answers.forEach(answer -> assertSame(first, answer));
    Set<Key> after = stored(creation);
    assertThat(after).containsAll(before).hasSize(before.size() + rowsOf(operation));
  }

  @ParameterizedTest
  @MethodSource("keyed")
  void key_withAnotherBody_isRefused(String operation) {
    Creation creation = creation(operation);
    Answer first = Expect.status(201, creation.sent());
    Set<Key> before = stored(creation);

    Expect.problem(422, "idempotency_key_reused", creation.withOther().sent());

    assertThat(stored(creation)).isEqualTo(before);
    assertSame(first, creation.sent());
  }

  @ParameterizedTest
  @MethodSource("keyed")
  void key_withTwoBodiesAtTheSameMoment_isForOneOfThem(String operation) throws Exception {
    Creation creation = creation(operation);
    Set<Key> before = stored(creation);
    List<Creation> requests = new ArrayList<>();
    for (int i = 0; i < AT_ONCE / 2; i++) {
      requests.add(creation);
      requests.add(creation.withOther());
    }

    List<Answer> answers = atOnce(requests);

    List<Answer> taken = answers.stream().filter(answer -> answer.status() == 201).toList();
    assertThat(taken).hasSize(AT_ONCE / 2);
    taken.forEach(answer -> assertSame(taken.getFirst(), answer));
    for (Answer answer : answers) {
      if (answer.status() != 201) {
        Expect.problem(422, "idempotency_key_reused", answer);
      }
    }
    Set<Key> after = stored(creation);
    assertThat(after).containsAll(before).hasSize(before.size() + rowsOf(operation));
  }
}
