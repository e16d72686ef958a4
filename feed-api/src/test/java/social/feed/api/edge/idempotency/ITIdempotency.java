package social.feed.api.edge.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.row.IdempotencyRecord;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITIdempotency {
  private static final String POSTS = "/v1/posts";
  private static final String TEXT = "{\"text\":\"once\"}";

  private final FeedServer server;
  private final Person ann;
  private final Person bob;
  private final Api caller;

  ITIdempotency(FeedServer server, SeedWorld world) {
    this.server = server;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
  }

  private static Api keyed(Api api, String key) {
    return api.with("Idempotency-Key", key);
  }

  private Api keyed(String key) {
    return keyed(caller, key);
  }

  private int postsOf(Person person) {
    return Paged.ids(caller, "/v1/users/" + person.id() + "/posts", 50).size();
  }

  private String another() {
    String handle = ann.account().handle();
    return handle.substring(0, handle.length() - 1) + "_";
  }

  private static void assertSame(Answer first, Answer second) {
    assertThat(second.status()).isEqualTo(first.status());
    assertThat(second.text()).isEqualTo(first.text());
    assertThat(second.header("Location")).isEqualTo(first.header("Location"));
    assertThat(second.header("Content-Type")).hasValue("application/json");
  }

  @Test
  void post_sentAgain_answersTheSameAndWritesNothing() {
    Answer first = Expect.status(201, keyed("k1").post(POSTS, TEXT));
    // Another form of the same value.
    Answer second = keyed("k1").post(POSTS, "{ \"visibility\" : null, \"text\" : \"on\\u0063e\" }");

    assertSame(first, second);
    assertThat(postsOf(ann)).isEqualTo(1);
    assertThat(first.header("Location")).hasValue(POSTS + "/" + first.at("id"));
  }

  @Test
  void post_withKey_isRememberedForADay() {
    Answer answer = Expect.status(201, keyed("k1").post(POSTS, TEXT));
    var key = IdempotencyRecord.key(ann.id(), "k1");
    var record = (IdempotencyRecord) server.table().table().getAll(List.of(key), true).getFirst();

    assertThat(record.expiresAt())
        .isEqualTo(Instant.parse(answer.at("created_at")).getEpochSecond() + 24 * 60 * 60);
  }

  @Test
  void post_toTheSameAddressWithASlash_isTheSame() {
    Answer first = Expect.status(201, keyed("k1").post(POSTS + "/", TEXT));

    assertThat(first.header("Location")).hasValue(POSTS + "/" + first.at("id"));
    assertSame(first, keyed("k1").post(POSTS, TEXT));
  }

  @Test
  void post_withoutKey_isWrittenTwice() {
    caller.post(POSTS, TEXT);
    caller.post(POSTS, TEXT);

    assertThat(postsOf(ann)).isEqualTo(2);
  }

  @Test
  void key_withAnotherRequest_isRefused() {
    String id = keyed("k1").post(POSTS, TEXT).at("id");

    Expect.problem(422, "idempotency_key_reused", keyed("k1").post(POSTS, "{\"text\":\"other\"}"));
    Expect.problem(
        422, "idempotency_key_reused", keyed("k1").post(POSTS + "/" + id + "/comments", TEXT));
    assertThat(postsOf(ann)).isEqualTo(1);
  }

  @Test
  void key_ofAnotherCaller_isAnotherKey() {
    Answer mine = keyed("k1").post(POSTS, TEXT);
    Answer other = Expect.status(201, keyed(server.as(bob), "k1").post(POSTS, TEXT));

    assertThat(other.at("id")).isNotEqualTo(mine.at("id"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a#b", "", "a/b"})
  void key_malformed_isRefused(String key) {
    Expect.problem(400, "invalid_request", keyed(key).post(POSTS, TEXT));
  }

  @Test
  void key_of129Characters_isRefused() {
    Expect.status(201, keyed("k".repeat(128)).post(POSTS, TEXT));
    Expect.problem(400, "invalid_request", keyed("k".repeat(129)).post(POSTS, TEXT));
  }

  @Test
  void refusal_isNotKept() {
    Api stranger = server.as("late-" + ann.id());
    Expect.problem(409, "not_registered", keyed(stranger, "k1").post(POSTS, TEXT));
    stranger.post(
        "/v1/users", "{\"handle\":\"late_" + ann.account().handle() + "\",\"display_name\":\"L\"}");

    Expect.status(201, keyed(stranger, "k1").post(POSTS, TEXT));
  }

  @Test
  void post_sentManyTimesAtOnce_isWrittenOnce() throws Exception {
    Set<String> answers = new HashSet<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> sent =
          IntStream.range(0, 12)
              .mapToObj(i -> threads.submit(() -> keyed("k1").post(POSTS, TEXT)))
              .toList();
      for (Future<Answer> answer : sent) {
        answers.add(text(answer));
      }
    }

    assertThat(answers).hasSize(1);
    assertThat(postsOf(ann)).isEqualTo(1);
  }

  private static String text(Future<Answer> sent) throws InterruptedException, ExecutionException {
    return Expect.status(201, sent.get()).text();
  }

  @Test
  void post_deletedThenSentAgain_staysDeleted() {
    Answer first = keyed("k1").post(POSTS, TEXT);
    Expect.status(204, caller.delete(POSTS + "/" + first.at("id")));

    Answer again = keyed("k1").post(POSTS, TEXT);

    assertSame(first, again);
    Expect.problem(404, "not_found", caller.get(POSTS + "/" + first.at("id")));
    assertThat(postsOf(ann)).isZero();
  }

  @Test
  void comment_sentAgain_isWrittenOnceAndStaysDeleted() {
    String path = POSTS + "/" + bob.posts("x").postId() + "/comments";
    Answer first = Expect.status(201, keyed("k1").post(path, TEXT));
    assertSame(first, keyed("k1").post(path, TEXT));
    assertThat(Paged.ids(caller, path, 5)).hasSize(1);

    Expect.status(204, server.as(bob).delete(path + "/" + first.at("id")));

    assertSame(first, keyed("k1").post(path, TEXT));
    assertThat(Paged.ids(caller, path, 5)).isEmpty();
  }

  /** The response was lost, and the caller has deleted the resource in the meantime. */
  @Test
  void post_sentAgainAtTheSameMomentAsItsDelete_staysDeleted() throws Exception {
    Answer first = keyed("k1").post(POSTS, TEXT);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> sent =
          IntStream.range(0, 12)
              .mapToObj(
                  i ->
                      threads.submit(
                          () ->
                              i == 5
                                  ? caller.delete(POSTS + "/" + first.at("id"))
                                  : keyed("k1").post(POSTS, TEXT)))
              .toList();
      for (Future<Answer> answer : sent) {
        answer.get();
      }
    }

    assertThat(postsOf(ann)).isZero();
  }

  @Test
  void registration_withAKeyByWhoIsRegistered_answersAsWithout() {
    String body = "{\"handle\":\"" + ann.account().handle() + "\",\"display_name\":\"Ann\"}";

    Answer first = Expect.status(200, keyed("k1").post("/v1/users", body));
    assertSame(first, keyed("k1").post("/v1/users", body));
    Expect.problem(
        422, "idempotency_key_reused", keyed("k1").post("/v1/users", body.replace("Ann", "Other")));
    Expect.problem(
        422, "idempotency_key_reused", keyed("k1").post("/v1/posts", "{\"text\":\"x\"}"));
    Expect.problem(
        409, "handle_taken", keyed(server.as("x-" + ann.id()), "k1").post("/v1/users", body));
    Expect.status(200, caller.patch("/v1/users/me", "{\"handle\":\"" + another() + "\"}"));
    assertSame(first, keyed("k1").post("/v1/users", body));
  }

  @Test
  void registration_sentAgain_answersTheSame() {
    Api newcomer = server.as("new-" + ann.id());
    String body = "{\"handle\":\"new_" + ann.account().handle() + "\",\"display_name\":\"N\"}";

    Answer first = Expect.status(201, keyed(newcomer, "k1").post("/v1/users", body));

    assertSame(first, keyed(newcomer, "k1").post("/v1/users", body));
    Expect.status(200, newcomer.post("/v1/users", body));
  }
}
