package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.plan.Lane;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.home.FeedActivities;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Row;
import social.feed.table.row.TagUses;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import social.feed.testkit.UserAction;
import social.feed.testkit.cost.Bill;

/** The effects of a user action cost as much as the table of costs says. */
class ITEffectCosts {
  /** The number of posts in a backfill, as deployed. */
  private static final int NEWEST = 20;

  private static final int FOLLOWERS = 100;

  private StreamHarness harness;
  private Bill bill;
  private Multiplexer multiplexer;
  private Person ann;
  private Person bob;

  /** Numbers the records of the stream; records that a checkpoint covers are not counted again. */
  private int written;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    harness.pause();
    multiplexer =
        new Multiplexer(
            harness.ofMultiplexer,
            StreamHarness.PLAN,
            new EffectHandlers(
                harness.ofMultiplexer,
                harness.table.clock(),
                NEWEST,
                BatchSizes.STANDARD,
                ErasureSweeps.Settings.unpaced(),
                harness.events::add),
            new CelebrityRule(Long.MAX_VALUE / 10),
            harness.deadLetters::add,
            harness.table.clock());
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    bill = harness.table.bill();
  }

  @AfterEach
  void stop() {
    bill.close();
    harness.close();
  }

  @Test
  void like_costsItsCountAndItsNotification() {
    var like = bob.likes(ann.posts("hello"));

    assertThat(behind(like)).isEqualTo(UserAction.LIKE.behind());
  }

  @Test
  void comment_costsItsCountAndItsNotification() {
    var comment = bob.comments(ann.posts("hello"), "Hi");

    assertThat(behind(comment)).isEqualTo(UserAction.COMMENT.behind());
  }

  @Test
  void follow_costsItsCounts_theNotification_andTheBackfill() {
    for (int i = 0; i < NEWEST; i++) {
      behind(ann.posts("post " + i));
    }
    // An account that is followed for the first time has no place in the rankings to be moved.
    behind(harness.world.user("carl").follows(ann));
    var edge = bob.follows(ann);
    var quota = new FollowQuota(bob.id(), 1, 1);

    assertThat(behind(edge, quota)).isEqualTo(UserAction.FOLLOW.behind());
  }

  @Test
  void post_costsItsCount_itsTag_andTwoUnitsAFeed() {
    var activities = new FeedActivities(harness.table.table());
    var followers =
        IntStream.range(0, FOLLOWERS).mapToObj(i -> harness.world.user("f" + i)).toList();
    followers.forEach(follower -> follower.follows(ann));
    // Long ago, so that the last read of each follower is checked.
    harness.table.clock().advance(Duration.ofDays(40));
    for (var follower : followers) {
      activities.read(
          follower.id(),
          Timestamps.now(harness.table.clock()),
          () -> Optional.of(follower.account().createdAt()));
    }
    // The same holds for a tag that was never used.
    behind(bob.posts("hello #sea"));
    gathered(uses(), uses());
    var post = ann.posts("hello #sea");

    var before = uses();
    var units = behind(post);
    assertThat(units.plus(gathered(before, uses()))).isEqualTo(UserAction.POST.behind());
  }

  private TagUses uses() {
    return harness.rows().stream()
        .filter(TagUses.class::isInstance)
        .map(TagUses.class::cast)
        .findAny()
        .orElseThrow();
  }

  /** The record by which the uses that a shard brought reach their tag. */
  private ConsumedUnits gathered(TagUses before, TagUses after) {
    var first = before.uses() == after.uses();
    var record =
        first
            ? StreamRecords.inserted(written++, before)
            : StreamRecords.modified(written++, before, after);
    var event = EntryContract.window(record);
    return TestTable.costOf(
        () -> assertThat(multiplexer.handle(Lane.COUNTS, event).getBatchItemFailures()).isEmpty());
  }

  /** Both lanes, with nothing else in their batches. */
  private ConsumedUnits behind(Row... rows) {
    var counts = event(rows);
    counts.setShardId("shardId-00000001772366400000-00000001");
    counts.setState(Map.of());
    var effects = event(rows);
    var units =
        TestTable.costOf(
            () -> {
              assertThat(multiplexer.handle(Lane.COUNTS, counts).getBatchItemFailures()).isEmpty();
              assertThat(multiplexer.handle(Lane.EFFECTS, effects).getBatchItemFailures())
                  .isEmpty();
            });
    assertThat(harness.deadLetters).isEmpty();
    return units;
  }

  private DynamodbTimeWindowEvent event(Row... rows) {
    var records = new ArrayList<DynamodbStreamRecord>();
    for (var row : rows) {
      records.add(StreamRecords.inserted(written++, row));
    }
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(records);
    return event;
  }
}
