package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Post;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.row.Visibility;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;

/** The uses of a tag whose posts come from very many shards. */
class ITTagUses {
  private static final String HOUR = TagTrend.hour(SampleRowLists.AT);

  private StreamHarness harness;
  private Person ann;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    ann = harness.world.user("ann");
    harness.drain();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void use_costsTheSameForAHundredShardsAsForThree() {
    var few = costOfAUse(3);
    var many = costOfAUse(100);
    // Half a read unit and a write for the row of the shard; the same and the index for the tag.
    assertThat(few).isEqualTo(new ConsumedUnits(1, 4));
    assertThat(many).isEqualTo(few);
  }

  /** The cost of one more use, after each of a number of shards brought one. */
  private ConsumedUnits costOfAUse(int shards) {
    var tag = "used" + shards;
    for (int shard = 0; shard < shards; shard++) {
      bring(shard, StreamRecords.inserted(1, post(tag, shard)));
    }
    harness.drain();
    harness.pause();
    var before = uses(tag, 0);
    var brought = TestTable.costOf(() -> bring(0, StreamRecords.inserted(2, post(tag, shards))));
    var record = StreamRecords.modified(900 + shards, before, uses(tag, 0));
    var gathered = TestTable.costOf(() -> handle("shard-of-the-tag", record));
    harness.resume();
    harness.drain();
    return brought.plus(gathered);
  }

  @Test
  void rows_keepTheirSize_howeverManyShardsAndGenerations() {
    bring(0, StreamRecords.inserted(1, post("sea", 0)));
    harness.drain();
    int ofShard = RowCodec.encode(uses("sea", 0)).toString().length();
    int ofTag = RowCodec.encode(trend("sea")).toString().length();
    for (int shard = 1; shard < 100; shard++) {
      bring(shard, StreamRecords.inserted(1, post("sea", shard)));
    }
    harness.drain();
    assertThat(trend("sea").uses()).isEqualTo(Map.of(HOUR, 100L));
    assertThat(RowCodec.encode(uses("sea", 99)).toString()).hasSize(ofShard);
    // Some digits more in the count, the revision and the checkpoint.
    assertThat(RowCodec.encode(trend("sea")).toString().length()).isBetween(ofTag, ofTag + 9);
  }

  /** Repeated, cut differently and late, as an event source delivers them. */
  @Test
  void uses_ofAHundredShards_areExact_whateverComesAgain() {
    var random = new Random(7);
    var streams = new ArrayList<List<DynamodbStreamRecord>>();
    long expected = 0;
    for (int shard = 0; shard < 100; shard++) {
      var records = new ArrayList<DynamodbStreamRecord>();
      var deleted = post("sea", shard);
      records.add(StreamRecords.inserted(1, post("sea", 100 + shard)));
      // Its insertion was brought by the shard before.
      records.add(StreamRecords.removed(2, deleted));
      records.add(StreamRecords.modified(3, post("sea", 200 + shard), hidden("sea", 200 + shard)));
      records.add(StreamRecords.inserted(4, post("sea", 300 + shard)));
      records.add(StreamRecords.inserted(5, post("sea", 400 + shard)));
      records.add(StreamRecords.inserted(6, post("sea", 500 + shard)));
      expected += 4 - 2;
      streams.add(records);
    }
    for (int shard = 0; shard < 100; shard++) {
      var records = streams.get(shard);
      int done = 0;
      while (done < records.size()) {
        int from = Math.max(0, done - random.nextInt(3));
        int to = Math.min(records.size(), done + 1 + random.nextInt(3));
        bring(shard, records.subList(from, to).toArray(DynamodbStreamRecord[]::new));
        done = random.nextInt(4) == 0 ? done : to;
      }
      if (shard % 10 == 0) {
        harness.rollShards();
      }
    }
    harness.drain();
    assertThat(usesOfShards("sea")).as("uses that the shards brought").isEqualTo(expected);
    assertThat(trend("sea").uses()).isEqualTo(Map.of(HOUR, expected));
    harness.replay(Lane.COUNTS);
    for (int shard = 0; shard < 100; shard++) {
      bring(shard, streams.get(shard).toArray(DynamodbStreamRecord[]::new));
    }
    harness.drain();
    assertThat(trend("sea").uses()).isEqualTo(Map.of(HOUR, expected));
    assertThat(harness.deadLetters).isEmpty();
  }

  /** A thousand uses a second of one tag, of ten for each of a hundred shards. */
  @Test
  void thousandUses_ofAHundredShards_areAHundredWritesInTheShardsAndFewInTheTag() {
    harness.pause();
    var write = 0.0;
    for (int shard = 0; shard < 100; shard++) {
      var records = new DynamodbStreamRecord[10];
      for (int i = 0; i < records.length; i++) {
        records[i] = StreamRecords.inserted(i + 1, post("sea", shard * 10 + i));
      }
      int of = shard;
      write += TestTable.costOf(() -> bring(of, records)).write();
    }
    assertThat(write).isEqualTo(100);
    harness.resume();
    harness.drain();
    assertThat(trend("sea").uses()).isEqualTo(Map.of(HOUR, 1_000L));
    assertThat(trend("sea").revision()).as("batches of a hundred").isLessThan(10);
  }

  /** The deletion of an old post. A tag is shown for sixteen half-lives of six hours at most. */
  @Test
  void useThatNoListShows_writesNothing() {
    harness.pause();
    harness.table.clock().advance(Duration.ofHours(16 * 6 + 24));
    var shown = TestTable.costOf(() -> bring(0, StreamRecords.removed(1, post("sea", 0))));
    harness.table.clock().advance(Duration.ofHours(1));
    var past = TestTable.costOf(() -> bring(1, StreamRecords.removed(1, post("sea", 1))));

    assertThat(shown.write()).isEqualTo(1);
    assertThat(past).isEqualTo(ConsumedUnits.NONE);
  }

  private void bring(int shard, DynamodbStreamRecord... records) {
    handle(shard(shard), records);
  }

  private void handle(String shardId, DynamodbStreamRecord... records) {
    var event = EntryContract.window(records);
    event.setShardId(shardId);
    handle(event);
  }

  private void handle(DynamodbTimeWindowEvent event) {
    assertThat(harness.multiplexer.handle(Lane.COUNTS, event).getBatchItemFailures()).isEmpty();
  }

  private TagUses uses(String tag, int shard) {
    var key = TagUses.empty(6, tag, HOUR, shard(shard)).key();
    return (TagUses) harness.table.table().getAll(List.of(key), true).getFirst();
  }

  private long usesOfShards(String tag) {
    return IntStream.range(0, 100).mapToLong(shard -> uses(tag, shard).uses()).sum();
  }

  private TagTrend trend(String tag) {
    var key = TagTrend.key(TrendingTags.HALF_LIFE, tag);
    return (TagTrend) harness.table.table().getAll(List.of(key), true).getFirst();
  }

  private Post post(String tag, int number) {
    return of(tag, number, Visibility.PUBLIC);
  }

  private Post hidden(String tag, int number) {
    return of(tag, number, Visibility.PRIVATE);
  }

  private Post of(String tag, int number, Visibility visibility) {
    return SamplePosts.by(ann.id(), SampleRowLists.AT)
        .id("post" + number)
        .text("#" + tag)
        .tags(tag)
        .visibility(visibility)
        .build();
  }

  private static String shard(int number) {
    long created = SampleRowLists.AT.plus(Duration.ofHours(4L * number)).toEpochMilli();
    return "shardId-%020d-0000000a".formatted(created);
  }
}
