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
import social.feed.streams.effect.EffectHandlers;
import social.feed.table.home.FeedActivities;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Row;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import social.feed.testkit.UserAction;

/** What follows from a deed behind the stream costs what the table of costs says. */
class ITEffectCosts {
  /** As deployed. */
  private static final int NEWEST = 20;

  private static final int FOLLOWERS = 100;

  /**
   * Of the two writes of a transaction, which cost the same, the local engine reports one; {@code
   * ITWriteCost} counts both.
   */
  private static final ConsumedUnits UNREPORTED = new ConsumedUnits(0, 2);

  private StreamHarness harness;
  private Multiplexer multiplexer;
  private Person ann;
  private Person bob;

  /** Records of the stream; what a mark covers is not counted again. */
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
                harness.ofMultiplexer, harness.table.clock(), NEWEST, harness.events::add),
            new CelebrityRule(Long.MAX_VALUE / 10),
            harness.letters::add,
            harness.table.clock());
    ann = person("ann");
    bob = person("bob");
  }

  /**
   * Who has a block and a mute, so that the local engine reports what it takes to look for them.
   */
  private Person person(String name) {
    var person = harness.world.user(name);
    person.blocks(harness.world.user(name + "blocked"));
    person.mutes(harness.world.user(name + "muted"));
    return person;
  }

  @AfterEach
  void stop() {
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
  void follow_costsItsCounts_theNotification_andWhatIsBrought() {
    for (int i = 0; i < NEWEST; i++) {
      behind(ann.posts("post " + i));
    }
    // Whoever is followed for the first time has no place in the rankings to be moved.
    behind(person("carl").follows(ann));
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
    // Long ago, so that each is looked at for when they last read.
    harness.table.clock().advance(Duration.ofDays(40));
    for (var follower : followers) {
      activities.read(
          follower.id(),
          Timestamps.now(harness.table.clock()),
          () -> Optional.of(follower.account().createdAt()));
    }
    // Nor has a tag that was never used.
    behind(bob.posts("hello #sea"));
    var post = ann.posts("hello #sea");

    assertThat(behind(post).plus(UNREPORTED)).isEqualTo(UserAction.POST.behind());
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
              assertThat(multiplexer.handle(counts).getBatchItemFailures()).isEmpty();
              assertThat(multiplexer.handle(effects).getBatchItemFailures()).isEmpty();
            });
    assertThat(harness.letters).isEmpty();
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
