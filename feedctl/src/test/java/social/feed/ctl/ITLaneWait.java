package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.counter.Fences.Place;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Fence;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.TestTable;
import social.feed.verify.LaneWait;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The test plays the lane of counts, while the wait looks. */
class ITLaneWait {
  private static final Place POST = Place.counts("POST#1");
  private static final Place OTHER = Place.counts("POST#2");
  private static final IntConsumer NOTHING = _ -> {};

  private final TestTable engine = TestTable.start();

  @AfterEach
  void stop() {
    engine.close();
  }

  @Test
  void placeInOneShard_isPassed_andAPlaceInTwoIsNot() {
    var wait =
        wait(
            Duration.ofMinutes(1),
            _ -> pass(fence -> fence.last() && fence.partition().equals("POST#2") ? "2" : "1"));

    assertThat(wait.passed(Set.of(POST, OTHER), true)).containsExactly(POST);
    assertThat(wait.passed(Set.of(POST), true)).as("no wait in vain before").containsExactly(POST);
  }

  /** After that time the stream holds no record from before the count. */
  @Test
  void placeInTwoShards_isPassed_whereTheRunOutwaitsTheStream() {
    var wait = wait(Retention.LATEST_DELIVERY, _ -> pass(fence -> fence.last() ? "2" : "1"));

    assertThat(wait.passed(Set.of(POST), true)).containsExactly(POST);
    assertThat(wait.passed(Set.of(POST), false)).as("counted after that wait").isEmpty();
  }

  @Test
  void laneThatIsBehind_isWaitedForOnce() {
    var wait = wait(Duration.ZERO, NOTHING);

    assertThat(wait.passed(Set.of(POST), true)).isEmpty();
    assertThat(fences()).hasSize(2);
    assertThat(wait.passed(Set.of(OTHER), true)).isEmpty();
    assertThat(fences()).as("no more fences").hasSize(2);
  }

  /** Looks at many places are paced, and may take longer than the pauses between them. */
  @Test
  void looks_countForThePatience() {
    var clock = engine.clock();
    var looks = new AtomicInteger();
    var wait =
        new LaneWait(
            engine.table(),
            clock,
            Duration.ofMinutes(5),
            clock::advance,
            _ -> {
              looks.incrementAndGet();
              clock.advance(Duration.ofMinutes(2));
            });

    assertThat(wait.passed(Set.of(POST), true)).isEmpty();

    assertThat(looks).hasValue(3);
  }

  @Test
  void noPlace_needsNoRequest() {
    engine.requests().take();

    assertThat(wait(Duration.ZERO, NOTHING).passed(Set.of(), true)).isEmpty();

    assertThat(engine.requests().take()).isEmpty();
  }

  /** A restored table has no stream yet, and no lane can be behind. */
  @Test
  void tableThatNeverHadAStream_needsNoFence() {
    var name = engine.otherName();
    engine
        .client()
        .createTable(
            t ->
                t.tableName(name)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(a -> text(a, BaseTable.PK), a -> text(a, BaseTable.SK))
                    .keySchema(
                        k -> k.attributeName(BaseTable.PK).keyType(KeyType.HASH),
                        k -> k.attributeName(BaseTable.SK).keyType(KeyType.RANGE)));
    var restored = new Table(engine.client(), name, engine.table().retry());

    var wait = new LaneWait(restored, Duration.ZERO, NOTHING);

    assertThat(wait.passed(Set.of(POST), true)).containsExactly(POST);
    assertThat(new TableScanner(restored).items().flatMap(List::stream)).isEmpty();
  }

  private static void text(AttributeDefinition.Builder attribute, String name) {
    attribute.attributeName(name).attributeType(ScalarAttributeType.S);
  }

  private LaneWait wait(Duration patience, IntConsumer waiting) {
    return new LaneWait(engine.table(), patience, waiting);
  }

  private List<Fence> fences() {
    return new TableScanner(engine.table())
        .items()
        .flatMap(List::stream)
        .map(item -> (Fence) ((TableScanner.Stored) item).row())
        .toList();
  }

  /** Passes all fences that are raised, each in a shard. */
  private void pass(Function<Fence, String> shard) {
    var counters = new Counters(engine.table(), new CelebrityRule(10));
    for (var fence : fences()) {
      var change = new CountChange("100000000000000000001", Fence.PASSED, 1);
      counters.apply("shardId-" + shard.apply(fence), Map.of(fence.key(), List.of(change)));
    }
  }
}
