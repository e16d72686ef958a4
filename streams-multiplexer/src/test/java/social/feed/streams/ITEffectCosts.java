package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Lane;
import social.feed.table.cost.CostFormulas;
import social.feed.table.cost.UserAction;
import social.feed.table.cost.UserAction.Effects;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.ItemSize;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.media.MediaFolder;
import social.feed.table.post.RecentDeliveries;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.cost.Bill;

/**
 * The effects of a user action cost as much as the declared costs say, down to the last effect of
 * an effect. The stream is the difference between two states of the table: each round is a batch of
 * its own in both lanes, so no record shares the cost of another.
 */
class ITEffectCosts {
  /** What the rounding of pages adds to the read units of a delivery, or takes. */
  private static final double ROUNDING = 2;

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
                EffectSettings.of(
                        Follow.NEWEST, BatchSizes.STANDARD, ErasureSweeps.Settings.unpaced())
                    .withEvents(harness.events::add)
                    .withMedia(new MediaFolder(Path.of("target/media")))),
            new CelebrityRule(Long.MAX_VALUE / 10),
            harness.deadLetters::add,
            harness.table.clock());
    ann = new Person(harness.world, id(999_999));
    var now = Timestamps.now(harness.table.clock());
    harness.world.users.register(User.registered(ann.id(), "ann", "Ann", null, now));
    bob = harness.world.user("bob");
    bill = harness.table.bill();
  }

  @AfterEach
  void stop() {
    bill.close();
    harness.close();
  }

  @Test
  void likeAndComment_costTheirCount_andTheirNotificationWithItsCount() {
    var post = ann.posts("hello");
    // The first notification of an account creates its inbox.
    behind(() -> bob.likes(ann.posts("first")));

    assertThat(behind(() -> bob.likes(post))).isEqualTo(UserAction.LIKE.effects());
    assertThat(behind(() -> bob.comments(post, "Hi"))).isEqualTo(UserAction.COMMENT.effects());
  }

  /** The goal is a quarter of a write unit for each like. */
  @Test
  void likesOfOnePost_inABatch_shareTheirCount() {
    var post = ann.posts("hello");
    behind(() -> bob.likes(post));
    var before = rows();
    for (int i = 0; i < 20; i++) {
      harness.world.user("fan" + i).likes(post);
    }
    var counted = accepted(Lane.COUNTS, difference(before, rows()));

    bill.take();
    handle(Lane.COUNTS, counted);

    assertThat(harness.world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(21);
    assertThat(bill.take().units().write() / 20).isPositive().isLessThanOrEqualTo(0.25);
  }

  @Test
  void readAll_costsThreeUnitsANotification() {
    for (int i = 0; i < CostFormulas.MARKED; i++) {
      var post = ann.posts("post " + i);
      behind(() -> bob.likes(post));
    }
    var now = Timestamps.now(harness.table.clock());

    assertThat(behind(() -> harness.world.notifications.markAllRead(ann.id(), now)))
        .isEqualTo(UserAction.READ_ALL.effects());
  }

  @Test
  void followAndUnfollow_costTheirCounts_theNotification_andTheFeed() {
    for (int i = 0; i < CostFormulas.BACKFILL; i++) {
      var text = "post " + i;
      behind(() -> ann.posts(text));
    }
    // An account that is followed for the first time has no place in the rankings to be moved.
    behind(() -> harness.world.user("carl").follows(ann));
    harness.table.clock().advance(Retention.RECENT_DELIVERIES.plusMinutes(1));

    assertThat(behind(() -> bob.follows(ann))).isEqualTo(UserAction.FOLLOW.effects());
    assertThat(behind(() -> bob.unfollows(ann))).isEqualTo(UserAction.UNFOLLOW.effects());
  }

  @Test
  void follow_readsEachPostThatWasDeliveredLately_andUnfollowItsNote() {
    int posts = CostFormulas.BACKFILL;
    var deliveries = new RecentDeliveries(harness.table.table(), harness.table.clock());
    for (int i = 0; i < posts; i++) {
      var post = ann.posts("post " + i);
      deliveries.begin(List.of(post));
    }
    behind(() -> harness.world.user("carl").follows(ann));

    var follow = behind(() -> bob.follows(ann)).units();
    var unfollow = behind(() -> bob.unfollows(ann)).units();

    // The notes of 20 deliveries have more than 4 KB. An unfollow needs no more than their keys.
    var second = new ConsumedUnits(1, 0);
    var lately = new ConsumedUnits(posts, 0);
    assertThat(follow).isEqualTo(CostFormulas.follow(posts).plus(lately).plus(second));
    assertThat(unfollow).isEqualTo(CostFormulas.unfollow(posts).plus(second));
  }

  /** What belongs to the account is read once for a batch: its posts and its counters. */
  @Test
  void followsOfOneAccount_readOnlyTheirEdgesAndNotificationsEach() {
    behind(() -> ann.posts("one"));
    behind(() -> harness.world.user("carl").follows(ann));
    harness.table.clock().advance(Retention.RECENT_DELIVERIES.plusMinutes(1));
    var fans = Stream.of("dan", "eve", "fay").map(harness.world::user).toList();

    var one = behind(() -> bob.follows(ann)).units();
    var three = behind(() -> fans.forEach(fan -> fan.follows(ann))).units();

    assertThat(one.read()).isEqualTo(6 + 3);
    assertThat(three.read()).isEqualTo(6 + 3 * 3);
  }

  @Test
  void followOfAnAccountWithoutPosts_costsAsTheFormulaSays() {
    var dan = harness.world.user("dan");
    behind(() -> ann.follows(dan));

    assertThat(behind(() -> bob.follows(dan)).units()).isEqualTo(CostFormulas.follow(0));
  }

  @Test
  void post_costsItsCount_itsTag_andTwoUnitsAFeed() {
    followers(ann, CostFormulas.FOLLOWERS);
    // A tag that was never used has no place in the rankings to be moved.
    behind(() -> bob.posts("hello #sea"));

    var post = behind(() -> ann.posts("hello #sea"));

    assertThat(post).isEqualTo(UserAction.POST.effects());
  }

  @Test
  void specialFollowers_costAsTheFormulaSays() {
    var fans = IntStream.range(0, 20).mapToObj(i -> harness.world.user("fan" + i)).toList();
    fans.forEach(fan -> fan.follows(ann));
    fans.subList(0, 10).forEach(fan -> fan.marks(ann));
    // The first notification of an account creates its inbox.
    behind(() -> ann.posts("first"));
    var ten = behind(() -> ann.posts("second")).units();
    fans.subList(10, 20).forEach(fan -> fan.marks(ann));
    behind(() -> ann.posts("third"));

    var twenty = behind(() -> ann.posts("fourth")).units();

    assertThat(twenty).isEqualTo(ten.plus(CostFormulas.specialFollowers(10)));
  }

  /** Who follows is read for each, after the notification. */
  @Test
  void specialFollowersOfAPostForFollowers_costTheCheckOfEachInAddition() {
    var fans = IntStream.range(0, 20).mapToObj(i -> harness.world.user("fan" + i)).toList();
    fans.forEach(fan -> fan.follows(ann));
    fans.forEach(fan -> fan.marks(ann));
    // The first notification of an account creates its inbox.
    behind(() -> ann.posts("first"));

    var shown = behind(() -> ann.posts("to all")).units();
    var narrow = behind(() -> ann.posts("to followers", Visibility.FOLLOWERS)).units();

    assertThat(narrow).isEqualTo(shown.plus(CostFormulas.checkedRecipients(fans.size())));
  }

  /** The pace of erasures rests on this estimate. Each of its numbers is checked by itself. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 0",
    "100, 0, 0, 0",
    "400, 0, 0, 0",
    "0, 40, 0, 0",
    "0, 0, 40, 0",
    "0, 0, 0, 40",
    "100, 0, 20, 5",
    "200, 30, 60, 30"
  })
  void removedPost_costsAboutWhatTheEstimateSays(
      int entries, int special, int likes, int comments) {
    followers(ann, entries);
    var fans =
        IntStream.range(0, Math.max(special, likes))
            .mapToObj(i -> harness.world.user("fan" + i))
            .toList();
    behind(() -> fans.subList(0, special).forEach(this::followsSpecially));
    var written = new ArrayList<Post>();
    behind(() -> written.add(ann.posts("hello")));
    var post = written.getFirst();
    behind(() -> fans.subList(0, likes).forEach(fan -> fan.likes(post)));
    behind(() -> IntStream.range(0, comments).forEach(_ -> bob.comments(post, "Hi")));
    double estimate = CostFormulas.removedPost(entries + special, special, likes + comments);

    assertIsAbout(estimate, sum(behind(() -> ann.deletes(post)).units()));
  }

  /** The records of the notifications stay when it is hidden. The notifications are gone. */
  @Test
  void removedPost_thatWasHidden_costsAboutWhatTheEstimateSays() {
    var fans = IntStream.range(0, 40).mapToObj(i -> harness.world.user("fan" + i)).toList();
    behind(() -> fans.forEach(this::followsSpecially));
    var written = new ArrayList<Post>();
    behind(() -> written.add(ann.posts("hello")));
    var post = written.getFirst();
    behind(() -> harness.world.posts.changeVisibility(post.postId(), ann.id(), Visibility.PRIVATE));
    double estimate = CostFormulas.removedHiddenPost(fans.size(), 0);

    assertIsAbout(estimate, sum(behind(() -> ann.deletes(post)).units()));
  }

  /** The pace of erasures rests on these estimates as well. */
  @Test
  void removedEdgesAndReplies_costAboutWhatTheEstimatesSay() {
    behind(() -> bob.follows(ann));
    double toAnn = estimated(ann, ErasureStep.FOLLOWERS);
    assertIsAbout(toAnn, whole(() -> bob.unfollows(ann)));

    for (int i = 0; i < 25; i++) {
      var text = "post " + i;
      behind(() -> ann.posts(text));
    }
    behind(() -> bob.follows(ann));
    // The posts of the backfill, and those that came since.
    for (int i = Follow.NEWEST; i < 25; i++) {
      behind(() -> ann.posts("later"));
    }
    harness.table.clock().advance(Retention.RECENT_DELIVERIES.plusMinutes(1));
    double fromBob = estimated(bob, ErasureStep.FOLLOWING);
    double withPosts = whole(() -> bob.unfollows(ann));
    assertIsAbout(fromBob, withPosts);

    var post = ann.posts("liked");
    behind(() -> bob.likes(ann.posts("first")));
    behind(() -> bob.likes(post));
    assertIsAbout(estimated(bob, ErasureStep.LIKES) / 2, whole(() -> bob.unlikes(post)));
    var written = new ArrayList<Comment>();
    behind(() -> written.add(bob.comments(post, "Hi")));
    assertIsAbout(
        estimated(bob, ErasureStep.COMMENTS),
        whole(() -> harness.world.comments.delete(post.postId(), written.getFirst().commentId())));
  }

  /** Returns what the pace of an erasure counts for the rows of a step. */
  private double estimated(Person person, ErasureStep step) {
    var now = Timestamps.now(harness.table.clock());
    var erasure = Erasure.of(person.id(), now);
    while (erasure.step() != step) {
      erasure = erasure.done();
    }
    return new AccountReferences(harness.table.table(), 1_000, Long.MAX_VALUE)
        .next(erasure, now)
        .units();
  }

  /** Returns the units of a write, and of what it causes. */
  private double whole(Runnable write) {
    var own = new ArrayList<ConsumedUnits>();
    var caused =
        behind(
            () -> {
              bill.take();
              write.run();
              own.add(bill.take().units());
            });
    return sum(own.getFirst()) + sum(caused.units());
  }

  private static double sum(ConsumedUnits units) {
    return units.read() + units.write();
  }

  /** An estimate that is too high makes an erasure slower. One that is too low exceeds the pace. */
  private static void assertIsAbout(double estimate, double units) {
    System.out.printf("a removal: %.1f units, %.1f estimated%n", units, estimate);
    assertThat(units).isBetween(0.65 * estimate, 1.1 * estimate);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void post_costsSixWriteUnitsATag(int tags) {
    var text = "hello " + "#sea #sun #sky".substring(0, Math.max(0, 5 * tags - 1));
    behind(() -> bob.posts(text));

    assertThat(behind(() -> ann.posts(text)))
        .isEqualTo(
            new Effects(CostFormulas.delivery(0).plus(CostFormulas.tags(tags)), 1 + tags, 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 250, 499, 500, 700})
  void delivery_costsAsTheFormulaSays(int followers) {
    followers(ann, followers);

    var post = behind(() -> ann.posts("hello"));

    var formula = CostFormulas.delivery(followers);
    assertThat(post.units().write()).isEqualTo(formula.write());
    assertThat(post.units().read()).isBetween(formula.read() - ROUNDING, formula.read() + ROUNDING);
  }

  @Test
  void delivery_toFollowersWhoAreAbsent_costsOneReadUnitEach() {
    followers(ann, CostFormulas.FOLLOWERS);
    harness.table.clock().advance(Duration.ofDays(40));

    var post = behind(() -> ann.posts("hello")).units();
    var absent = CostFormulas.absentFollower().read() * CostFormulas.FOLLOWERS;

    assertThat(post.write()).isEqualTo(CostFormulas.delivery(0).write());
    assertThat(post.read() - CostFormulas.delivery(0).read())
        .isBetween(absent - ROUNDING, absent + ROUNDING);
  }

  @Test
  void pulledPost_costsTheSameWhateverTheAudience() {
    followers(ann, CostFormulas.FOLLOWERS);
    behind(() -> harness.world.posts.create(pulled(ann)));
    harness.table.clock().advance(Duration.ofMinutes(1));

    assertThat(behind(() -> harness.world.posts.create(pulled(ann))).units())
        .isEqualTo(CostFormulas.pulledPost());
  }

  @Test
  void sizesOfEdge_areThoseOfRowsWithIdsOf36Characters() {
    var now = Timestamps.now(harness.table.clock());
    var edge = new Follow(id(1), id(2), now, now, null, false, null);

    var item = RowCodec.encode(edge);
    var lists =
        FeedTable.DECLARATION.indexes().stream()
            .filter(index -> index.name().equals(Index.FOLLOWING.indexName()))
            .map(index -> ItemSize.of(FeedTable.DECLARATION.entry(index, item)));

    assertThat(ItemSize.of(item)).isEqualTo(CostFormulas.EDGE_BYTES);
    assertThat(lists).containsExactly((long) CostFormulas.LISTED_BYTES);
  }

  private static String id(int number) {
    return "0a1b2c3d-4e5f-6789-abcd-%012d".formatted(number);
  }

  private void followsSpecially(Person fan) {
    fan.follows(ann);
    fan.marks(ann);
  }

  /** Writes followers who followed 40 days ago and read yesterday, without effects. */
  private void followers(Person author, int count) {
    var now = Timestamps.now(harness.table.clock());
    var rows = new ArrayList<Row>();
    for (int i = 0; i < count; i++) {
      rows.add(new Follow(id(i), author.id(), now, now, null, false, null));
      rows.add(FeedActivity.at(id(i), now.plus(Duration.ofDays(39))));
    }
    harness.table.table().putAll(rows);
    harness.table.clock().advance(Duration.ofDays(40));
  }

  private Post pulled(Person author) {
    var now = Timestamps.now(harness.table.clock());
    return SamplePosts.by(author.id(), now)
        .randomId(new Random(3))
        .delivery(FanOutMode.PULL)
        .build();
  }

  /** Returns what a write causes in both lanes, until nothing follows. */
  private Effects behind(Runnable write) {
    var units = ConsumedUnits.NONE;
    int counts = 0;
    int effects = 0;
    var before = rows();
    write.run();
    while (true) {
      var after = rows();
      var records = difference(before, after);
      var counted = accepted(Lane.COUNTS, records);
      var applied = accepted(Lane.EFFECTS, records);
      if (counted.isEmpty() && applied.isEmpty()) {
        return new Effects(units, counts, effects);
      }
      counts += counted.size();
      effects += applied.size();
      bill.take();
      handle(Lane.COUNTS, counted);
      handle(Lane.EFFECTS, applied);
      units = units.plus(bill.take().units());
      before = after;
    }
  }

  private void handle(Lane lane, List<DynamodbStreamRecord> records) {
    if (!records.isEmpty()) {
      var event = new DynamodbTimeWindowEvent();
      event.setRecords(new ArrayList<>(records));
      if (lane == Lane.COUNTS) {
        event.setShardId(EntryContract.SHARD);
        event.setState(Map.of());
      }
      assertThat(multiplexer.handle(lane, event).getBatchItemFailures()).isEmpty();
      assertThat(harness.deadLetters).isEmpty();
    }
  }

  private static List<DynamodbStreamRecord> accepted(
      Lane lane, List<DynamodbStreamRecord> records) {
    return records.stream().filter(record -> LaneFilter.accepts(lane, record)).toList();
  }

  private List<DynamodbStreamRecord> difference(Map<Key, Row> before, Map<Key, Row> after) {
    var records = new ArrayList<DynamodbStreamRecord>();
    after.forEach(
        (key, row) -> {
          var previous = before.get(key);
          if (previous == null) {
            records.add(StreamRecords.inserted(written++, row));
          } else if (!previous.equals(row)) {
            records.add(StreamRecords.modified(written++, previous, row));
          }
        });
    before.forEach(
        (key, row) -> {
          if (!after.containsKey(key)) {
            records.add(StreamRecords.removed(written++, row));
          }
        });
    return records;
  }

  private Map<Key, Row> rows() {
    var rows = new HashMap<Key, Row>();
    harness.rows().forEach(row -> rows.put(row.key(), row));
    return rows;
  }
}
