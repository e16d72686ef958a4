package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.notification.Inboxes;
import social.feed.table.row.Inbox;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
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

  /** Shards of four hours that are at most 30 hours apart. */
  @Test
  void checkpoints_ofOldShards_arePruned_andCountsStayExact() {
    int shards = 100;
    for (int i = 0; i < shards; i++) {
      count(shard(i), 1);
      count(shard(i), 1);
    }
    assertThat(ann.account().followersCount()).isEqualTo(shards);
    assertThat(ann.account().marks()).hasSize(8).containsKeys(shard(shards - 1), shard(92));
  }

  /** The units of the item alone; a follower also moves the account in the index, for two more. */
  @Test
  void update_afterAHundredGenerationsOfShards_costsOneUnit() {
    var post = ann.posts("hello");
    for (int i = 0; i < 100; i++) {
      int generation = i;
      var like = new CountChange(StreamRecords.sequence(1), Post.LIKES_COUNT, 1);
      var likes = Map.of(post.key(), List.of(like));
      assertThat(TestTable.costOf(() -> counters.apply(shard(generation), likes)).write())
          .as("generation %d", i)
          .isEqualTo(1);
      assertThat(TestTable.costOf(() -> count(shard(generation), 1)).write())
          .as("generation %d", i)
          .isEqualTo(i == 0 ? 2 : 3);
    }
    assertThat(ann.account().followersCount()).isEqualTo(100);
  }

  @Test
  void checkpoints_ofAWeek_areRemovedByTheNextUpdate() {
    var week = new TreeMap<String, AttributeValue>();
    for (int i = 0; i < 42; i++) {
      week.put(shard(i), AttributeValue.fromS(StreamRecords.sequence(9)));
    }
    harness.set(User.key(ann.id()), "marks", AttributeValue.fromM(week));
    count(shard(41), 1);
    assertThat(ann.account().followersCount()).as("covered").isZero();
    count(shard(41), 10);
    assertThat(ann.account().followersCount()).isEqualTo(1);
    assertThat(ann.account().marks()).hasSize(8);
  }

  /** A call that was delayed until its checkpoint was removed. */
  @Test
  void record_ofARemovedShard_isNotCountedAgain() {
    count(shard(0), 1);
    count(shard(8), 1);
    assertThat(ann.account().marks()).containsOnlyKeys(shard(8));
    count(shard(0), 1);
    assertThat(ann.account().followersCount()).isEqualTo(2);
  }

  /** The records of a shard that lags 24 hours behind another one of the same item. */
  @Test
  void record_ofAShardThatLagsADay_isCounted() {
    count(shard(7), 1);
    count(shard(0), 1);
    count(shard(0), 1);
    assertThat(ann.account().followersCount()).isEqualTo(2);
    assertThat(ann.account().marks()).hasSize(2);
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

  /** Without a checkpoint, the late call would create the inbox with one unread notification. */
  @Test
  void lateCall_behindNotificationsThatAreGone_doesNotCountThem() {
    var inbox = Inbox.key(ann.id());
    var created = new CountChange(StreamRecords.sequence(1), Inbox.UNREAD, 1);
    var deleted = new CountChange(StreamRecords.sequence(2), Inbox.UNREAD, -1);

    counters.apply(shard(1), Map.of(inbox, List.of(created, deleted)));
    counters.apply(shard(1), Map.of(inbox, List.of(created)));

    assertThat(new Inboxes(harness.table.table()).get(ann.id()).orElseThrow().unread()).isZero();
  }

  /** The erasure has deleted the notifications, and the inbox does not come back. */
  @Test
  void notificationsThatAreGone_ofAnAccountThatIsGone_leaveNoInbox() {
    var inbox = Inbox.key("gone");
    var created = new CountChange(StreamRecords.sequence(1), Inbox.UNREAD, 1);
    var deleted = new CountChange(StreamRecords.sequence(2), Inbox.UNREAD, -1);

    counters.apply(shard(1), Map.of(inbox, List.of(created, deleted)));

    assertThat(new Inboxes(harness.table.table()).get("gone")).isEmpty();
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
