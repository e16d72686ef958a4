package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.Shard;

/** Tests of the types that keep the order of records: lineage, the unbroken head, the buffer. */
class OrderingTest {

  private static final Checkpoint OPEN = new Checkpoint("123", false, null);
  private static final Checkpoint END = new Checkpoint("123", true, null);

  @Test
  void startable_parentUnfinished_excludesTheChild() {
    List<Shard> listed = List.of(shard("a", null), shard("b", "a"), shard("c", "b"));

    assertThat(ids(Lineage.startable(listed, Map.of(), Set.of()))).containsExactly("a");
    assertThat(ids(Lineage.startable(listed, Map.of(), Set.of("a")))).isEmpty();
    assertThat(ids(Lineage.startable(listed, Map.of("a", OPEN), Set.of()))).containsExactly("a");
    assertThat(ids(Lineage.startable(listed, Map.of("a", END), Set.of()))).containsExactly("b");
    assertThat(ids(Lineage.startable(listed, Map.of("a", END, "b", END, "c", END), Set.of())))
        .isEmpty();
  }

  @Test
  void startable_descendantHasACheckpoint_excludesItsAncestors() {
    List<Shard> listed =
        List.of(shard("a", null), shard("b", "a"), shard("c", "b"), shard("d", "c"));

    assertThat(ids(Lineage.startable(listed, Map.of("c", OPEN), Set.of()))).containsExactly("c");
    assertThat(ids(Lineage.startable(listed, Map.of("c", OPEN), Set.of("c")))).isEmpty();
    assertThat(ids(Lineage.startable(listed, Map.of("c", END), Set.of()))).containsExactly("d");
    assertThat(ids(Lineage.startable(listed, Map.of("b", END, "c", END), Set.of())))
        .containsExactly("d");
  }

  /** A parent has two children where a shard is split. */
  @Test
  void needed_onlyParentsOfStartedShards_areLeftOut() {
    List<Shard> listed =
        List.of(shard("a", null), shard("b", "a"), shard("c", "b"), shard("d", "b"));

    assertThat(Lineage.needed(listed, Map.of())).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(Lineage.needed(listed, Map.of("a", END, "trimmed", END)))
        .containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(Lineage.needed(listed, Map.of("a", END, "b", END)))
        .containsExactlyInAnyOrder("b", "c", "d");
    assertThat(Lineage.needed(listed, Map.of("b", END, "c", OPEN)))
        .containsExactlyInAnyOrder("c", "d");
    assertThat(ids(Lineage.startable(listed, Map.of("c", OPEN), Set.of("c")))).containsExactly("d");
  }

  @Test
  void startable_parentTrimmed_includesTheChild() {
    assertThat(ids(Lineage.startable(List.of(shard("b", "a")), Map.of(), Set.of())))
        .containsExactly("b");
  }

  @Test
  void unbrokenHead_lanesEndOutOfOrder_passesOnlyWhatIsDone() {
    List<BatchRecord> records = TestRecords.batch(1, 8);
    var head = new UnbrokenHead();
    head.add(records.subList(0, 6));

    assertThat(head.done(records.subList(2, 4))).isEmpty();
    assertThat(head.done(records.subList(0, 1))).contains(records.get(0).sequenceNumber());
    head.add(records.subList(6, 8));
    assertThat(head.done(records.subList(7, 8))).isEmpty();
    assertThat(head.done(records.subList(1, 2))).contains(records.get(3).sequenceNumber());
    assertThat(head.done(records.subList(4, 7))).contains(records.get(7).sequenceNumber());
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

  private static Shard shard(String id, @Nullable String parent) {
    return Shard.builder().shardId(id).parentShardId(parent).build();
  }

  private static List<String> ids(List<Shard> shards) {
    return shards.stream().map(Shard::shardId).toList();
  }
}
