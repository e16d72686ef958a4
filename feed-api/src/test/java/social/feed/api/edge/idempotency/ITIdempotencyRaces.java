package social.feed.api.edge.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Media;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.CrashPoint;
import social.feed.testkit.fault.CrashPoint.Side;
import social.feed.testkit.fault.Hook;
import social.feed.testkit.fault.SplitTransactions;
import social.feed.testkit.fault.Unconditional;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Single races of requests with an idempotency key, each at the transaction of the first request. A
 * sound run is compared with all rows of the accounts. Each test also runs with its bug planted,
 * and must find it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITIdempotencyRaces {
  private static final String POSTS = "/v1/posts";
  private static final String USERS = "/v1/users";
  private static final String KEY = "k1";

  private final Changing wire = new Changing();
  private final FeedServer server = FeedServer.start(Map.of(), wire);

  @AfterAll
  void stop() {
    server.close();
  }

  /** A wire that the tests exchange. */
  private static final class Changing implements Wire {
    private volatile Wire now = Wire.SOUND;

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      return now.send(request, table);
    }
  }

  /**
   * How a race ended.
   *
   * @param answers in the order in which the requests were sent
   * @param rows all rows that name one of the accounts
   */
  private record Outcome(List<Answer> answers, List<Row> rows) {
    List<Integer> statuses() {
      return answers.stream().map(Answer::status).toList();
    }

    /** The kinds of the rows, each as often as there are rows of it. */
    List<String> kinds() {
      return rows.stream().map(row -> row.getClass().getSimpleName()).sorted().toList();
    }

    <R extends Row> List<R> of(Class<R> kind) {
      return rows.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    long texts() {
      return answers.stream().map(Answer::text).distinct().count();
    }
  }

  private static final List<String> ONE_POST =
      List.of("HandleClaim", "IdempotencyRecord", "Post", "User");
  private static final List<String> TWO_POSTS =
      List.of("HandleClaim", "IdempotencyRecord", "Post", "Post", "User");

  @Test
  void post_sentTwiceAtOnce_isCreatedOnce() {
    var sound = twoPosts("once", Wire.SOUND);
    assertThat(sound.statuses()).containsExactly(201, 201);
    assertThat(sound.texts()).isEqualTo(1);
    assertThat(sound.kinds()).isEqualTo(ONE_POST);
    assertRecorded(sound);

    var wrong = twoPosts("once", new Unconditional(ITIdempotencyRaces::isRecord));
    assertThat(wrong.texts()).isEqualTo(2);
    assertThat(wrong.kinds()).isEqualTo(TWO_POSTS);
  }

  @Test
  void key_withAnotherBodyAtOnce_isRefused() {
    var sound = twoPosts("other", Wire.SOUND);
    Expect.problem(422, "idempotency_key_reused", sound.answers().getFirst());
    assertThat(sound.kinds()).isEqualTo(ONE_POST);
    assertThat(sound.of(Post.class).getFirst().text()).isEqualTo("other");
    Expect.status(201, sound.answers().getLast());

    var wrong = twoPosts("other", new Unconditional(ITIdempotencyRaces::isRecord));
    assertThat(wrong.statuses()).containsExactly(201, 201);
    assertThat(wrong.kinds()).isEqualTo(TWO_POSTS);

    var unchecked = twoPosts("other", new OwnFingerprint());
    assertThat(unchecked.statuses()).containsExactly(201, 201);
    assertThat(unchecked.answers().getFirst().at("text")).isEqualTo("other");
  }

  /** The second request is answered right before the transaction of the first one. */
  private Outcome twoPosts(String otherText, Wire bug) {
    Person ann = server.world().user("ann");
    Api caller = server.as(ann).with("Idempotency-Key", KEY);
    return race(
        bug,
        () -> caller.post(POSTS, text("once")),
        () -> caller.post(POSTS, text(otherText)),
        ann.id());
  }

  /** The second request uses the file up before the first one has looked at it. */
  @Test
  void postWithAFile_sentTwiceAtOnce_isCreatedOnce_alsoForTheFirst() {
    Person ann = server.world().user("ann");
    Media file = completed(ann.id());
    server.table().table().putAll(List.of(file));
    String body = "{\"text\":\"once\",\"media\":[\"%s\"]}".formatted(file.mediaId());
    Api caller = server.as(ann).with("Idempotency-Key", KEY);

    var answers = race(ITIdempotencyRaces::readsAFile, body, body, caller);

    assertThat(answers).extracting(Answer::status).containsExactly(201, 201);
    assertThat(answers.getFirst().text()).isEqualTo(answers.getLast().text());
    Expect.problem(422, "media_not_usable", server.as(ann).post(POSTS, body));
  }

  @Test
  void keyOfAnotherPost_thatUsesUpTheFile_isRefusedAsReused() {
    Person ann = server.world().user("ann");
    Media file = completed(ann.id());
    server.table().table().putAll(List.of(file));
    String body = "{\"text\":\"%s\",\"media\":[\"" + file.mediaId() + "\"]}";
    Api caller = server.as(ann).with("Idempotency-Key", KEY);

    var answers =
        race(ITIdempotencyRaces::readsAFile, body.formatted("one"), body.formatted("two"), caller);

    Expect.problem(422, "idempotency_key_reused", answers.getFirst());
    Expect.status(201, answers.getLast());
  }

  /**
   * Sends a second request right before a call of the first one; returns the first answer first.
   */
  private List<Answer> race(
      Predicate<DynamoDbRequest> before, String first, String second, Api caller) {
    var answers = new ArrayList<Answer>();
    wire.now = new Hook(before, () -> answers.add(caller.post(POSTS, second)));
    try {
      answers.addFirst(caller.post(POSTS, first));
    } finally {
      wire.now = Wire.SOUND;
    }
    assertThat(answers).hasSize(2);
    return answers;
  }

  private static boolean readsAFile(DynamoDbRequest request) {
    return request instanceof BatchGetItemRequest batch
        && batch.requestItems().values().stream()
            .flatMap(keys -> keys.keys().stream())
            .anyMatch(key -> key.values().toString().contains("MEDIA#"));
  }

  private static Media completed(String owner) {
    var at = Instant.parse("2026-03-01T12:00:00Z");
    var id = TimeOrderedId.named(at, owner);
    return new Media(id, owner, "image/png", 9, "0".repeat(64), null, at, 640, 480, null);
  }

  @ParameterizedTest
  @EnumSource
  void post_cutOffAndRepeated_isCreatedOnce(Side side) {
    var sound = cutPost(new CrashPoint(1, side), Wire.SOUND);
    assertThat(sound.statuses()).containsExactly(201, 201);
    assertThat(sound.texts()).isEqualTo(1);
    assertThat(sound.kinds()).isEqualTo(ONE_POST);
    assertRecorded(sound);
  }

  @Test
  void post_inSeveralWrites_isFoundOut() {
    var recordFirst = cutPost(new CrashPoint(1, Side.AFTER), new SplitTransactions(false));
    assertThat(recordFirst.statuses()).containsExactly(201, 201);
    assertThat(recordFirst.kinds()).doesNotContain("Post").contains("IdempotencyRecord");

    var postFirst = cutPost(new CrashPoint(1, Side.AFTER), new SplitTransactions(true));
    assertThat(postFirst.kinds()).isEqualTo(TWO_POSTS);
  }

  private Outcome cutPost(CrashPoint cut, Wire bug) {
    Person ann = server.world().user("ann");
    Api caller = server.as(ann).with("Idempotency-Key", KEY);
    wire.now = bug.over(cut);
    try {
      assertThat(caller.post(POSTS, text("once")).status()).isGreaterThanOrEqualTo(500);
      assertThat(cut.happened()).isTrue();
      cut.restart();
      return new Outcome(
          List.of(caller.post(POSTS, text("once")), caller.post(POSTS, text("once"))),
          rows(ann.id()));
    } finally {
      wire.now = Wire.SOUND;
    }
  }

  @Test
  void registration_withAHandleThatAnotherTakesAtOnce_isRefusedAndNotRecorded() {
    var sound = twoRegistrations(Wire.SOUND);
    Expect.problem(409, "handle_taken", sound.answers().getFirst());
    Expect.status(201, sound.answers().getLast());
    assertThat(sound.kinds()).containsExactly("HandleClaim", "IdempotencyRecord", "User");
    assertThat(sound.of(IdempotencyRecord.class).getFirst().userId())
        .isEqualTo(sound.of(User.class).getFirst().userId())
        .isEqualTo(sound.of(HandleClaim.class).getFirst().userId());

    var wrong = twoRegistrations(new Unconditional(ITIdempotencyRaces::isClaim));
    assertThat(wrong.statuses()).containsExactly(201, 201);
    assertThat(wrong.of(User.class)).hasSize(2);
  }

  private Outcome twoRegistrations(Wire bug) {
    String ann = "new-" + server.world().user("ann").id();
    String bob = "new-" + server.world().user("bob").id();
    String handle = "h_" + ann.replace('-', '_');
    return race(
        bug,
        () -> server.as(ann).with("Idempotency-Key", KEY).post(USERS, profile(handle)),
        () -> server.as(bob).with("Idempotency-Key", KEY).post(USERS, profile(handle)),
        ann,
        bob);
  }

  @Test
  void registration_sentTwiceAtOnceWithTwoKeys_createsOneAccount() {
    var sound = twoKeys(Wire.SOUND);
    assertThat(sound.statuses()).containsExactly(200, 201);
    assertThat(sound.kinds())
        .containsExactly("HandleClaim", "IdempotencyRecord", "IdempotencyRecord", "User");

    var wrong = twoKeys(new Unconditional(key -> isClaim(key) || isAccount(key)));
    assertThat(wrong.statuses()).as("the account is created twice").containsExactly(201, 201);
  }

  private Outcome twoKeys(Wire bug) {
    String ann = "new-" + server.world().user("ann").id();
    String handle = "h_" + ann.replace('-', '_');
    return race(
        bug,
        () -> server.as(ann).with("Idempotency-Key", KEY).post(USERS, profile(handle)),
        () -> server.as(ann).with("Idempotency-Key", "k2").post(USERS, profile(handle)),
        ann);
  }

  @FunctionalInterface
  private interface Request {
    Answer send();
  }

  private Outcome race(Wire bug, Request first, Request second, String... accounts) {
    var answers = new ArrayList<Answer>();
    wire.now =
        bug.over(
            new Hook(
                TransactWriteItemsRequest.class::isInstance, () -> answers.add(second.send())));
    try {
      answers.addFirst(first.send());
    } finally {
      wire.now = Wire.SOUND;
    }
    assertThat(answers).hasSize(2);
    return new Outcome(List.copyOf(answers), rows(accounts));
  }

  private List<Row> rows(String... accounts) {
    return new TableScanner(server.table().table())
        .items()
        .flatMap(List::stream)
        .map(TableScanner.Stored.class::cast)
        .map(TableScanner.Stored::row)
        .filter(row -> List.of(accounts).stream().anyMatch(row.referencedAccounts()::contains))
        .toList();
  }

  /** The record, the post and the answers are of one request. */
  private static void assertRecorded(Outcome outcome) {
    var post = outcome.of(Post.class).getFirst();
    var record = outcome.of(IdempotencyRecord.class).getFirst();
    assertThat(record.resourceId()).isEqualTo(post.postId());
    assertThat(outcome.answers())
        .allSatisfy(
            answer -> {
              assertThat(answer.text()).isEqualTo(record.body());
              assertThat(answer.at("id")).isEqualTo(post.postId());
            });
  }

  private static String text(String text) {
    return "{\"text\":\"%s\"}".formatted(text);
  }

  private static String profile(String handle) {
    return "{\"handle\":\"%s\",\"display_name\":\"N\"}".formatted(handle);
  }

  private static boolean isRecord(Key key) {
    return isLike(IdempotencyRecord.key("x", "x"), key);
  }

  private static boolean isClaim(Key key) {
    return isLike(HandleClaim.key("x"), key);
  }

  private static boolean isAccount(Key key) {
    return isLike(User.key("x"), key);
  }

  private static boolean isLike(Key one, Key other) {
    return one.partition().split("#")[0].equals(other.partition().split("#")[0]);
  }

  /** Returns the record of a key with the fingerprint of the request that finds it. */
  private static final class OwnFingerprint implements Wire {
    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      try {
        return table.apply(request);
      } catch (TransactionCanceledException e) {
        var own = ((TransactWriteItemsRequest) request).transactItems().getFirst().put().item();
        throw e.toBuilder()
            .cancellationReasons(
                e.cancellationReasons().stream().map(reason -> with(own, reason)).toList())
            .build();
      }
    }

    private static CancellationReason with(
        Map<String, AttributeValue> own, CancellationReason reason) {
      if (!reason.hasItem()) {
        return reason;
      }
      var item = new HashMap<>(reason.item());
      item.computeIfPresent("fingerprint", (name, _) -> own.get(name));
      return reason.toBuilder().item(item).build();
    }
  }
}
