package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.streams.StreamHarness.Around;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Follow;
import social.feed.table.row.Inbox;
import social.feed.table.row.Ranked;
import social.feed.table.row.RecentDelivery;
import social.feed.table.row.Row;
import social.feed.table.row.User;

class ITCounts {
  private static final int OPERATIONS = 200;
  private static final double LOST = 0.3;

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 100})
  void history_inBatchesOfAnySize_countsExactly(int batchSize) {
    try (var harness = StreamHarness.start(batchSize, (_, function, _) -> function)) {
      var history = new History(batchSize, harness.world);
      history.run(OPERATIONS);
      harness.drain();
      assertExact(harness, history);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12})
  void history_replayedTwice_leavesTheTableAsItIs(long seed) {
    try (var harness = StreamHarness.start()) {
      var history = new History(seed, harness.world);
      history.run(OPERATIONS);
      harness.drain();
      var before = harness.rows();
      for (int time = 1; time <= 2; time++) {
        harness.replay(Lane.COUNTS);
        harness.replay(Lane.EFFECTS);
        assertExact(harness, history);
      }
      assertThat(unfed(harness.rows())).isEqualTo(unfed(before));
    }
  }

  @ParameterizedTest
  @CsvSource({"21,100", "22,3"})
  void history_withLostResponses_countsExactly(long seed, int batchSize) {
    try (var harness = StreamHarness.start(batchSize, StreamHarness.losingResponses(seed, LOST))) {
      var history = new History(seed, harness.world);
      history.run(OPERATIONS);
      harness.drain();
      assertExact(harness, history);
      harness.replay(Lane.COUNTS);
      harness.replay(Lane.EFFECTS);
      assertExact(harness, history);
    }
  }

  /** DynamoDB refuses a transaction that writes the row of the event twice. */
  @Test
  void eventThatComesTwiceInABatch_countsOnce_whereASecondPassesBetweenThem() {
    try (var harness = StreamHarness.start()) {
      var ann = harness.world.user("ann");
      var seconds = new AtomicLong();
      InstantSource source = () -> SampleRowLists.AT.plusSeconds(seconds.incrementAndGet());
      var handlers =
          new EffectHandlers(
              harness.table.table(),
              source.withZone(ZoneOffset.UTC),
              EffectSettings.of(
                  StreamHarness.NEWEST, BatchSizes.STANDARD, ErasureSweeps.Settings.unpaced()));
      var count = new CountOnce("an event", User.key(ann.id()), User.POSTS_COUNT, 1);

      handlers.apply(List.of(count, count));

      assertThat(ann.account().postsCount()).isEqualTo(1);
    }
  }

  @Test
  void history_acrossShardsAndOtherBatches_countsExactly() {
    try (var harness = StreamHarness.start(100, StreamHarness.losingResponses(31, LOST))) {
      var history = new History(31, harness.world);
      for (int batchSize : new int[] {3, 1, 100, 7}) {
        history.run(OPERATIONS / 4);
        harness.rollShards();
        history.run(10);
        harness.rebatch(batchSize);
      }
      harness.drain();
      assertExact(harness, history);
      harness.replay(Lane.COUNTS);
      harness.replay(Lane.EFFECTS);
      assertExact(harness, history);
    }
  }

  @Test
  void history_writtenWhileDeliveryPauses_countsExactly() {
    try (var harness = StreamHarness.start()) {
      var history = new History(41, harness.world);
      for (int round = 0; round < 5; round++) {
        harness.pause();
        history.run(OPERATIONS / 10);
        harness.resume();
        history.run(OPERATIONS / 10);
      }
      harness.drain();
      assertExact(harness, history);
    }
  }

  /** The planted bug: a test that finds no drift here would find none anywhere. */
  @Test
  void naiveCounter_withLostResponses_drifts() {
    try (var harness = StreamHarness.start(20, naive())) {
      var history = new History(51, harness.world);
      history.run(OPERATIONS);
      harness.drain();
      var rows = harness.rows();
      var held = Counts.held(rows);
      var wanted = history.expected();
      assertThat(Counts.recounted(rows)).isEqualTo(wanted);
      // This counter skips rows for rankings, so the table has none.
      wanted.keySet().retainAll(held.keySet());
      assertThat(held).isNotEqualTo(wanted);
    }
  }

  private static void assertExact(StreamHarness harness, History history) {
    var rows = harness.rows();
    assertThat(Counts.held(rows)).isEqualTo(history.expected());
    assertThat(Counts.recounted(rows)).isEqualTo(history.expected());
    assertThat(harness.deadLetters).isEmpty();
  }

  /**
   * Rows without the note of the backfill, which may come later for an author without posts, and
   * without the checkpoints of notifications, which replays write and retract again. Also without
   * the notes of deliveries, which have the minute of each attempt.
   */
  private static Set<Row> unfed(Set<Row> rows) {
    return rows.stream()
        .filter(row -> !(row instanceof RecentDelivery))
        .map(ITCounts::unfed)
        .collect(Collectors.toSet());
  }

  private static Row unfed(Row row) {
    if (row instanceof Inbox inbox) {
      return Inbox.counted(inbox.key(), inbox.unread(), Map.of());
    }
    return row instanceof Follow edge
        ? Follow.of(edge.followerId(), edge.followeeId(), edge.createdAt())
        : row;
  }

  /** Counts without shard checkpoints. */
  private static Around naive() {
    var losing = StreamHarness.losingResponses(51, LOST);
    return (lane, function, table) ->
        losing.around(
            lane, lane == Lane.COUNTS ? event -> countNaively(event, table) : function, table);
  }

  private static TimeWindowEventResponse countNaively(DynamodbTimeWindowEvent event, Table table) {
    var plan = new Plan(Duration.ofDays(90));
    for (var record : event.getRecords()) {
      plan.counts(ChangeDecoder.decode(record)).stream()
          .filter(count -> Ranked.of(count.item(), "any").isEmpty())
          .forEach(count -> add(count, table));
    }
    var response = new TimeWindowEventResponse();
    response.setState(event.getState());
    return response;
  }

  private static void add(Count count, Table table) {
    table.update(
        count.item(), new Update().add(count.attribute(), count.delta()), Condition.present());
  }
}
