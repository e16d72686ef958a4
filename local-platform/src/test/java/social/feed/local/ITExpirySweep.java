package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.engine.LocalQueue;
import social.feed.engine.eventsource.Checkpoints;
import social.feed.engine.eventsource.EventSource;
import social.feed.engine.eventsource.EventSourceMapping;
import social.feed.engine.eventsource.Subscription;
import social.feed.streams.change.Change;
import social.feed.streams.change.ChangeDecoder;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.idempotency.IdempotencyRecords;
import social.feed.table.kernel.idempotency.Recording;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.Hook;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;

/**
 * Tests that the sweep removes expired items, and nothing else. The test's clock is far ahead of
 * the machine's, which the engine uses, so the engine removes nothing itself.
 */
class ITExpirySweep {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Instant START = Instant.parse("2090-01-01T00:00:00Z");

  private static final ErasureSweeps.Settings AT_ONCE =
      new ErasureSweeps.Settings(Duration.ZERO, Duration.ZERO, Double.POSITIVE_INFINITY);

  private final SteppingClock clock = new SteppingClock(START);
  private TestTable table;
  private ExpirySweep sweep;

  @BeforeEach
  void start() {
    table = TestTable.start();
    sweep = new ExpirySweep(table.table(), clock, 100);
  }

  @AfterEach
  void stop() throws InterruptedException {
    sweep.close();
    table.close();
  }

  @Test
  void expiredItems_areRemoved_andOthersStay() {
    var expiring = expiring(in(Duration.ofHours(1)));
    var later = new ProcessedEvent("later", in(Duration.ofHours(9)));
    var never = User.registered("ann", "ann", "Ann", null, START);
    table.table().putAll(expiring);
    table.table().putAll(List.of(later, never));
    assertThat(sweep.step()).isZero();
    clock.advance(Duration.ofHours(2));
    assertThat(sweep.step()).isEqualTo(expiring.size());
    assertThat(expiring).allMatch(row -> table.table().get(row.key()).isEmpty());
    assertThat(List.of(later, never)).allMatch(row -> table.table().get(row.key()).isPresent());
    assertThat(sweep.step()).isZero();
  }

  /** A platform that was stopped for months. DynamoDB ignores what expired five years ago. */
  @Test
  void itemThatExpiredLongAgo_isRemoved_uptoFiveYears() {
    var months = new ProcessedEvent("months", in(Duration.ofDays(-400)));
    var years = new ProcessedEvent("years", in(Duration.ofDays(-5 * 365 + 1)));
    var older = new ProcessedEvent("older", in(Duration.ofDays(-5 * 365 - 1)));
    table.table().putAll(List.of(months, years, older));
    assertThat(sweep.step()).isEqualTo(2);
    assertThat(table.table().get(older.key())).isPresent();
  }

  @Test
  void numberThatIsNoTime_isIgnored() {
    var wrong =
        List.of(new ProcessedEvent("zero", 0), new ProcessedEvent("millis", START.toEpochMilli()));
    table.table().putAll(wrong);
    clock.advance(Duration.ofDays(1));
    assertThat(sweep.step()).isZero();
    assertThat(wrong).allMatch(row -> table.table().get(row.key()).isPresent());
  }

  @Test
  void recordRenewedBeforeItsRemoval_stays() {
    var records = new IdempotencyRecords(table.table(), clock);
    var first = request("first", in(Duration.ofHours(1)));
    records.insert(first, List.of());
    clock.advance(Duration.ofHours(2));
    var seen = sweep.nextExpired();
    assertThat(seen).containsExactly(first.key());
    var second = request("second", in(Duration.ofHours(1)));
    assertThat(records.insert(second, List.of())).isEqualTo(new Recording.Written());
    assertThat(sweep.remove(seen.getFirst())).isFalse();
    assertThat(records.find("bob", "key")).contains(second);
  }

  @Test
  void recordRenewedAfterTheMark_stays() {
    var records = new IdempotencyRecords(table.table(), clock);
    records.insert(request("first", in(Duration.ofHours(1))), List.of());
    clock.advance(Duration.ofHours(2));
    var second = request("second", in(Duration.ofHours(1)));
    assertThat(sweep.nextExpired()).hasSize(1);
    set(second.key(), ExpirySweep.MARK);
    records.insert(second, List.of());
    clock.advance(Duration.ofMinutes(30));
    assertThat(sweep.remove(second.key())).isFalse();
    assertThat(table.table().get(second.key()).orElseThrow()).doesNotContainKey(ExpirySweep.MARK);
  }

  /** An update leaves the mark in the item, as the completion of an upload does. */
  @Test
  void itemThatIsKeptAfterTheMark_stays() throws InterruptedException {
    var kept = new ProcessedEvent("kept", in(Duration.ofHours(1)));
    table.table().putAll(List.of(kept));
    clock.advance(Duration.ofHours(2));
    var keeps =
        new Hook(
            DeleteItemRequest.class::isInstance,
            () ->
                table
                    .table()
                    .update(kept.key(), new Update().remove(BaseTable.TTL), Condition.present()));
    var name = table.table().name();
    var wired = new Table(WiredClient.of(table.client(), keeps), name, table.table().retry());

    try (var late = new ExpirySweep(wired, clock, 100)) {
      assertThat(late.remove(kept.key())).isFalse();
    }

    assertThat(table.table().get(kept.key())).isPresent();
  }

  @Test
  void markOfAnAbortedSweep_doesNotPreventRemoval() {
    var mark = new ProcessedEvent("old", in(Duration.ofHours(1)));
    table.table().putAll(List.of(mark));
    set(mark.key(), ExpirySweep.MARK);
    assertThat(sweep.step()).isZero();
    clock.advance(Duration.ofHours(2));
    assertThat(sweep.step()).isEqualTo(1);
  }

  @Test
  void manyExpired_areRemovedPageByPage_andTheScanStartsAgain() throws InterruptedException {
    try (var small = new ExpirySweep(table.table(), clock, 10)) {
      for (int round = 0; round < 2; round++) {
        table.table().putAll(marks(25));
        clock.advance(Duration.ofHours(2));
        int removed = 0;
        for (int step = 0; step < 4; step++) {
          int now = small.step();
          assertThat(now).isLessThanOrEqualTo(10);
          removed += now;
        }
        assertThat(removed).isEqualTo(25);
      }
    }
  }

  @Test
  void removal_hasTheServicesIdentity_andADeleteDoesNot() {
    var mark = new ProcessedEvent("swept", in(Duration.ofHours(1)));
    var deleted = new ProcessedEvent("deleted", in(Duration.ofHours(1)));
    table.table().putAll(List.of(mark, deleted));
    clock.advance(Duration.ofHours(2));
    table.table().deleteAll(List.of(deleted.key()));
    sweep.step();
    assertThat(removals())
        .containsExactlyInAnyOrder(new Change.Removed(deleted), new Change.Expired(mark));
  }

  @Test
  void expiryOfTheTimerOfSweeps_repeatsThem_untilNothingIsFound() throws InterruptedException {
    try (var queue = LocalQueue.start();
        var multiplexer =
            new LocalMultiplexer(
                table.engine(),
                queue,
                LocalMultiplexer.Setup.of(Queues.in(queue), new CelebrityRule(1_000))
                    .with(AT_ONCE));
        var stream = multiplexer.follow(Checkpoints.inMemory());
        var tomorrow = new ExpirySweep(table.table(), clockOfTomorrow(), 100)) {
      var world = new SeedWorld(table.table(), new SteppingClock(Instant.now()));
      var ann = world.user("ann");
      var bob = world.user("bob");
      ann.follows(bob);
      bob.follows(ann);
      ann.likes(bob.posts("hello"));
      stream.drain(PATIENCE);
      var erasures = new Erasures(table.table(), world.users);
      erasures.begin(ann.id(), Instant.now());
      stream.drain(PATIENCE);
      int rests = 0;
      while (erasures.of(ann.id()).orElseThrow().step() == ErasureStep.RESTING && rests < 5) {
        rests++;
        assertThat(tomorrow.step()).isPositive();
        stream.drain(PATIENCE);
      }
      assertThat(erasures.of(ann.id()).orElseThrow().step()).isEqualTo(ErasureStep.ERASED);
      assertThat(rests).isBetween(1, 3);
      new TableScanner(table.table())
          .items()
          .flatMap(List::stream)
          .map(item -> ((TableScanner.Stored) item).row())
          .forEach(row -> assertThat(row.referencedAccounts()).doesNotContain(ann.id()));
      assertThat(bob.account().followersCount()).isZero();
    }
  }

  /** The timer of sweeps uses the real time. */
  private static SteppingClock clockOfTomorrow() {
    return new SteppingClock(Instant.now().plus(Duration.ofDays(1)));
  }

  @Test
  void removal_causesNoEffects_unlikeADelete() {
    try (var queue = LocalQueue.start();
        var multiplexer =
            new LocalMultiplexer(
                table.engine(),
                queue,
                LocalMultiplexer.Setup.of(Queues.in(queue), new CelebrityRule(1_000)));
        var stream = multiplexer.follow(Checkpoints.inMemory())) {
      var world = new SeedWorld(table.table(), new SteppingClock(Instant.now()));
      var post = world.user("ann").posts("hello");
      var swept = world.user("bob").likes(post);
      var unliked = world.user("cleo").likes(post);
      stream.drain(PATIENCE);
      assertThat(world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(2);
      set(swept.key(), "expires_at");
      clock.advance(Duration.ofHours(2));
      assertThat(sweep.step()).isEqualTo(1);
      world.likes.remove(post.postId(), unliked.userId());
      stream.drain(PATIENCE);
      assertThat(table.table().get(swept.key())).isEmpty();
      assertThat(world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(1);
      assertThat(world.notifications.unreadCount(post.authorId())).isEqualTo(1);
    }
  }

  private List<Change> removals() {
    List<Change> changes = Collections.synchronizedList(new ArrayList<>());
    var arn = table.client().describeTable(t -> t.tableName(table.table().name())).table();
    var mapping =
        EventSourceMapping.named("all").filter(r -> r.getEventName().equals("REMOVE")).build();
    try (var streams = table.engine().newStreamsClient();
        var source =
            EventSource.start(
                streams,
                arn.latestStreamArn(),
                Checkpoints.inMemory(),
                List.of(
                    new Subscription(
                        mapping,
                        event -> {
                          changes.addAll(decoded(SweptRecords.attributed(event)));
                          return null;
                        })))) {
      source.drain(PATIENCE);
    }
    return List.copyOf(changes);
  }

  private static List<Change> decoded(DynamodbTimeWindowEvent event) {
    assertThat(event.getRecords())
        .noneMatch(r -> r.getDynamodb().getOldImage().containsKey(ExpirySweep.MARK));
    return event.getRecords().stream().map(ChangeDecoder::decode).toList();
  }

  private long in(Duration time) {
    return clock.instant().plus(time).getEpochSecond();
  }

  private static List<Row> expiring(long at) {
    var post = TimeOrderedId.named(START, "post");
    var id = TimeOrderedId.named(START, "notification");
    return List.of(
        new Notification("ann", id, NotificationType.LIKE, "bob", post, START, false, at),
        new ProcessedEvent("mark", at),
        request("made", at),
        FanOutPlan.begun(post, "x", START, at),
        new FanOutChunk(post, 4, 0, "a", "b", 500, "x", null, null, 0, 0, null, at));
  }

  private static IdempotencyRecord request(String made, long at) {
    return new IdempotencyRecord("bob", "key", "print", made, 201, "{}", at);
  }

  private List<ProcessedEvent> marks(int count) {
    long at = in(Duration.ofHours(1));
    return IntStream.range(0, count).mapToObj(i -> new ProcessedEvent("m" + i, at)).toList();
  }

  /** Sets an attribute to the present time of the test's clock. */
  private void set(Key key, String attribute) {
    table
        .client()
        .updateItem(
            u ->
                u.tableName(table.table().name())
                    .key(KeyAttributes.of(key))
                    .updateExpression("SET " + attribute + " = :now")
                    .expressionAttributeValues(
                        Map.of(
                            ":now",
                            AttributeValue.fromN(
                                Long.toString(clock.instant().getEpochSecond())))));
  }
}
