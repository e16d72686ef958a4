package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.Shard;

/**
 * Tests of the types that keep the order of records: lineage, progress of a round, lanes, buffer.
 */
class OrderingTest {

  @Test
  void startable_parentUnfinished_excludesTheChild() {
    List<Shard> listed = List.of(shard("a", null), shard("b", "a"), shard("c", "b"));

    assertThat(ids(Lineage.startable(listed, Set.of(), Set.of()))).containsExactly("a");
    assertThat(ids(Lineage.startable(listed, Set.of(), Set.of("a")))).isEmpty();
    assertThat(ids(Lineage.startable(listed, Set.of("a"), Set.of()))).containsExactly("b");
    assertThat(ids(Lineage.startable(listed, Set.of("a", "b", "c"), Set.of()))).isEmpty();
  }

  @Test
  void startable_parentTrimmed_includesTheChild() {
    assertThat(ids(Lineage.startable(List.of(shard("b", "a")), Set.of(), Set.of())))
        .containsExactly("b");
  }

  @Test
  void roundProgress_lanesEndOutOfOrder_passesOnlyTheUnbrokenHead() {
    List<BatchRecord> round = TestRecords.batch(1, 6);
    RoundProgress progress = new RoundProgress(round);

    assertThat(progress.done(round.subList(2, 4))).isEmpty();
    assertThat(progress.done(round.subList(0, 1))).contains(round.get(0));
    assertThat(progress.done(round.subList(1, 2))).contains(round.get(3));
    assertThat(progress.done(round.subList(4, 6))).contains(round.get(5));
  }

  @Test
  void lanes_samePartitionKey_shareALaneInOrder() {
    List<BatchRecord> round = TestRecords.batch(1, 60);

    var lanes = ShardLanes.split(round, "pk", 4);

    assertThat(lanes.stream().mapToInt(List::size).sum()).isEqualTo(60);
    assertThat(lanes.size()).isBetween(2, 3);
    for (List<BatchRecord> lane : lanes) {
      assertThat(TestRecords.numbers(lane)).isSorted();
    }
    for (int i = 0; i < 3; i++) {
      String key = "p" + i;
      assertThat(lanes.stream().filter(lane -> holds(lane, key))).hasSize(1);
    }
  }

  @Test
  void buffer_calls_areSplitByCountAndBySize() {
    BatchBuffer buffer = new BatchBuffer(EventSourceMapping.named("m").batchSize(4).build(), "a");

    assertThat(buffer.calls(TestRecords.batch(1, 10)).stream().map(TestRecords::numbers))
        .containsExactly(List.of(1, 2, 3, 4), List.of(5, 6, 7, 8), List.of(9, 10));
    List<BatchRecord> large = TestRecords.batch(1, 3);
    large.forEach(record -> record.record().getDynamodb().setSizeBytes(4L << 20));
    assertThat(buffer.calls(large)).hasSize(3);
  }

  private static boolean holds(List<BatchRecord> lane, String partitionKey) {
    return lane.stream()
        .anyMatch(record -> TestRecords.partitionKey(record.record()).equals(partitionKey));
  }

  private static Shard shard(String id, @Nullable String parent) {
    return Shard.builder().shardId(id).parentShardId(parent).build();
  }

  private static List<String> ids(List<Shard> shards) {
    return shards.stream().map(Shard::shardId).toList();
  }
}
