package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Shard checkpoints in cases that a stream of one day does not reach. */
class ITShardCheckpoints {
  private static final CelebrityRule RULE = new CelebrityRule(1_000);

  private StreamHarness harness;
  private Person ann;
  private Counters counters;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    ann = harness.world.user("ann");
    counters = new Counters(harness.ofMultiplexer, RULE);
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void checkpoints_ofOldShards_arePruned_andCountsStayExact() {
    int shards = 100;
    for (int i = 0; i < shards; i++) {
      count(shard(i), 1);
      count(shard(i), 1);
    }
    assertThat(ann.account().followersCount()).isEqualTo(shards);
    int aWeekOfShards = 7 * 6 + 1;
    assertThat(ann.account().marks()).hasSize(aWeekOfShards).containsKey(shard(shards - 1));
  }

  @Test
  void checkpoints_ofShardsWithoutATime_areKept() {
    count("first", 1);
    count(shard(100), 1);
    count("second", 1);
    count("first", 1);
    assertThat(ann.account().followersCount()).isEqualTo(3);
    assertThat(ann.account().marks()).hasSize(3);
  }

  @Test
  void lateCall_thatReadBeforeAnother_addsOnlyUncoveredRecords() {
    harness.between.before(
        UpdateItemRequest.class::isInstance,
        () -> new Counters(harness.table.table(), RULE).apply(shard(1), changes(1, 2)));
    counters.apply(shard(1), changes(1, 2, 3));
    assertThat(harness.between.happened()).isTrue();
    assertThat(ann.account().followersCount()).isEqualTo(3);
    counters.apply(shard(1), changes(1, 2, 3));
    assertThat(ann.account().followersCount()).isEqualTo(3);
  }

  @Test
  void sequenceNumbers_ofDifferentWidth_areComparedAsNumbers() {
    counters.apply(shard(1), Map.of(User.key(ann.id()), List.of(change("9".repeat(21)))));
    counters.apply(shard(1), Map.of(User.key(ann.id()), List.of(change("1" + "0".repeat(21)))));
    counters.apply(shard(1), Map.of(User.key(ann.id()), List.of(change("9".repeat(21)))));
    assertThat(ann.account().followersCount()).isEqualTo(2);
  }

  private void count(String shard, int number) {
    counters.apply(shard, changes(number));
  }

  private Map<social.feed.table.row.Key, List<CountChange>> changes(int... numbers) {
    return Map.of(
        User.key(ann.id()),
        java.util.Arrays.stream(numbers)
            .mapToObj(number -> change(StreamRecords.sequence(number)))
            .toList());
  }

  private static CountChange change(String sequenceNumber) {
    return new CountChange(sequenceNumber, User.FOLLOWERS_COUNT, 1);
  }

  private static String shard(int number) {
    long created = SampleRowLists.AT.plus(Duration.ofHours(4L * number)).toEpochMilli();
    return "shardId-%020d-0000000a".formatted(created);
  }
}
