package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.RedriveOutcome.AppliedBefore;
import social.feed.streams.RedriveOutcome.Failed;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.page.PageRequest;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.schema.RowCodec;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Dead letters are applied once, whatever the stream does before and after. */
class ITRedrive {
  private static final AttributeValue ZERO = AttributeValue.fromN("0");

  private StreamHarness harness;
  private Person ann;
  private Person bob;
  private Person cleo;

  @BeforeEach
  void start() {
    harness = StreamHarness.startWithCelebrities();
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    cleo = harness.world.user("cleo");
    harness.drain();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void count_redrivenTwice_countsOnce() {
    var letter = uncountedFollow();
    assertThat(redrive(letter))
        .isEqualTo(new Applied(List.of("+1 followers_count of " + User.key(ann.id()))));
    assertThat(redrive(letter)).isInstanceOf(AppliedBefore.class);
    assertCounted();
  }

  @Test
  void count_ofAStreamThatComesAgainAfterwards_isCountedOnce() {
    var letter = uncountedFollow();
    redrive(letter);
    harness.replay(Lane.COUNTS);
    assertCounted();
    assertThat(harness.letters).hasSize(1);
  }

  @Test
  void count_ofAStreamThatComesAgainBefore_isCountedOnce() {
    var letter = uncountedFollow();
    harness.replay(Lane.COUNTS);
    assertThat(ann.account().followersCount()).as("the letter owns it").isZero();
    redrive(letter);
    harness.replay(Lane.COUNTS);
    assertCounted();
  }

  @Test
  void count_afterOthersWereCounted_isAddedToThem() {
    var letter = uncountedFollow();
    cleo.follows(ann);
    harness.drain();
    redrive(letter);
    redrive(letter);
    harness.replay(Lane.COUNTS);
    assertThat(ann.account().followersCount()).isEqualTo(2);
    assertCounted();
  }

  @Test
  void counts_redrivenInAnyOrder_areEachCountedOnce() {
    harness.pause();
    bob.follows(ann);
    cleo.follows(ann);
    unset(User.key(ann.id()), "followers_count");
    harness.resume();
    harness.drain();
    set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(harness.letters).hasSize(2);
    redrive(harness.letters.getLast());
    harness.replay(Lane.COUNTS);
    redrive(harness.letters.getFirst());
    redrive(harness.letters.getLast());
    harness.replay(Lane.COUNTS);
    assertThat(ann.account().followersCount()).isEqualTo(2);
    assertCounted();
  }

  @Test
  void count_ofAnItemThatLacksItsMarksToo_isLeftOutAndCountedOnce() {
    harness.pause();
    bob.follows(ann);
    unset(User.key(ann.id()), "followers_count");
    unset(User.key(ann.id()), "marks");
    harness.resume();
    harness.drain();
    set(User.key(ann.id()), "followers_count", ZERO);
    harness.replay(Lane.COUNTS);
    redrive(harness.letters.getFirst());
    harness.replay(Lane.COUNTS);
    assertCounted();
  }

  @Test
  void count_whileTheCauseIsThere_failsAndCountsNothing() {
    var letter = uncountedFollow();
    unset(User.key(ann.id()), "followers_count");
    assertThat(redrive(letter))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("lacks followers_count");
    set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(redrive(letter)).isInstanceOf(Applied.class);
    assertCounted();
  }

  @Test
  void count_besideTheStream_triesAgainAndIsExact() {
    var letter = uncountedFollow();
    harness.between.before(
        TransactWriteItemsRequest.class::isInstance,
        () -> {
          cleo.follows(ann);
          harness.drain();
        });
    redrive(letter);
    assertThat(harness.between.happened()).isTrue();
    assertThat(ann.account().followersCount()).isEqualTo(2);
    assertCounted();
  }

  @Test
  void count_thatReachesTheThreshold_makesACelebrity() {
    var letter = uncountedFollow();
    for (int i = 1; i < StreamHarness.CELEBRITY; i++) {
      harness.world.user("fan" + i).follows(ann);
    }
    harness.drain();
    assertThat(ann.account().isCelebrity()).isFalse();
    redrive(letter);
    assertThat(ann.account().isCelebrity()).isTrue();
  }

  @Test
  void count_ofAnAccountThatIsGone_leavesNothing() {
    var letter = uncountedFollow();
    harness
        .table
        .client()
        .deleteItem(
            d ->
                d.tableName(harness.table.table().name())
                    .key(KeyAttributes.of(User.key(ann.id()))));
    assertThat(redrive(letter)).isInstanceOf(AppliedBefore.class);
    assertThat(harness.table.table().get(User.key(ann.id()))).isEmpty();
  }

  @Test
  void count_withoutItsShard_isRefused() {
    var letter = uncountedFollow();
    var old = new DeadLetter("counts", letter.reason(), Optional.empty(), letter.record(), false);
    assertThat(redrive(old))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("verify --fix");
  }

  @Test
  void unreadable_isAppliedInEachLaneByItsOwnLetter_whenTheCodeCanReadIt() {
    var post = ann.posts("hello");
    harness.drain();
    harness.pause();
    var like = bob.likes(post);
    var good = StreamRecords.inserted(500, like);
    var bad = StreamRecords.inserted(500, like);
    bad.getDynamodb().getNewImage().remove("created_at");
    harness.multiplexer.handle(EntryContract.event(bad));
    harness.multiplexer.handle(EntryContract.window(bad));
    assertThat(harness.letters)
        .extracting(DeadLetter::handler)
        .containsExactly(DeadLetter.DECODE, DeadLetter.COUNTS);
    harness.letters.forEach(letter -> assertThat(redrive(letter)).isInstanceOf(Failed.class));
    for (int time = 1; time <= 2; time++) {
      harness.letters.forEach(letter -> redrive(read(letter, good)));
      assertThat(harness.world.notifications.unreadCount(ann.id())).isEqualTo(1);
      assertThat(harness.world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(1);
    }
    harness.multiplexer.handle(EntryContract.event(good));
    harness.multiplexer.handle(EntryContract.window(good));
    assertThat(harness.world.notifications.unreadCount(ann.id())).isEqualTo(1);
    assertThat(harness.world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(1);
  }

  @Test
  void effect_redrivenTwiceAndReplayed_isAppliedOnce() {
    harness.pause();
    var post = ann.posts("hello");
    unset(User.key(ann.id()), "posts_count");
    harness.resume();
    harness.drain();
    assertThat(harness.letters).extracting(DeadLetter::handler).containsExactly("CountOnce");
    var letter = harness.letters.getFirst();
    assertThat(redrive(letter)).isInstanceOf(Failed.class);
    set(User.key(ann.id()), "posts_count", ZERO);
    assertThat(redrive(letter)).isEqualTo(new Applied(List.of("CountOnce")));
    redrive(letter);
    harness.replay(Lane.EFFECTS);
    assertThat(ann.account().postsCount()).isEqualTo(1);
    assertThat(harness.world.feeds.stored(ann.id(), PageRequest.first(5)).items()).hasSize(1);
    assertThat(harness.world.posts.get(post.postId())).isPresent();
    assertThat(harness.letters).hasSize(1);
  }

  @Test
  void effect_namedByTheLetter_isTheOnlyOne() {
    harness.pause();
    var record = StreamRecords.inserted(1, bob.follows(ann));
    assertThat(redrive(DeadLetter.of("Notify", "test", record)))
        .isEqualTo(new Applied(List.of("Notify")));
    assertThat(harness.world.notifications.unreadCount(ann.id())).isEqualTo(1);
    assertThat(edge(bob, ann).feedSince()).as("no backfill").isNull();
  }

  @Test
  void effect_thatTheRecordDoesNotCause_isRefused() {
    var record = StreamRecords.inserted(1, bob.follows(ann));
    assertThat(redrive(DeadLetter.of("FanOut", "test", record)))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("no longer causes any FanOut");
  }

  @Test
  void cutLetter_goesByTheRowAsItIsNow() {
    harness.pause();
    var record = StreamRecords.inserted(1, bob.follows(ann));
    assertThat(redrive(cut("Notify", record))).isInstanceOf(Applied.class);
    assertThat(harness.world.notifications.unreadCount(ann.id())).isEqualTo(1);
  }

  @Test
  void cutLetter_whoseRowIsGone_saysWhatToDo() {
    harness.pause();
    var edge = bob.follows(ann);
    bob.unfollows(ann);
    for (var record : List.of(StreamRecords.inserted(1, edge), StreamRecords.removed(2, edge))) {
      assertThat(redrive(cut("Notify", record)))
          .asInstanceOf(type(Failed.class))
          .extracting(Failed::reason)
          .asString()
          .contains("verify --fix");
    }
  }

  /** A follow of ann that was not counted, and its letter; ann is whole again. */
  private DeadLetter uncountedFollow() {
    harness.pause();
    bob.follows(ann);
    unset(User.key(ann.id()), "followers_count");
    harness.resume();
    harness.drain();
    set(User.key(ann.id()), "followers_count", ZERO);
    assertThat(harness.letters).hasSize(1);
    assertThat(harness.letters.getFirst().shardId()).isPresent();
    return harness.letters.getFirst();
  }

  private RedriveOutcome redrive(DeadLetter letter) {
    return new Redrive(
            harness.ofMultiplexer,
            new Plan(Duration.ofDays(90)),
            harness.handlers,
            new CelebrityRule(StreamHarness.CELEBRITY),
            harness.table.clock())
        .apply(letter);
  }

  private void assertCounted() {
    List<Row> rows = List.copyOf(harness.rows());
    assertThat(Counts.held(rows)).isEqualTo(Counts.recounted(rows));
  }

  /** As if the code could read by now what it could not. */
  private static DeadLetter read(DeadLetter letter, DynamodbStreamRecord record) {
    return new DeadLetter(letter.handler(), letter.reason(), letter.shardId(), record, false);
  }

  private static DeadLetter cut(String handler, DynamodbStreamRecord record) {
    var image = record.getDynamodb().getNewImage();
    var keys = image != null ? image : record.getDynamodb().getOldImage();
    keys.keySet().retainAll(List.of("PK", "SK", "entity"));
    return new DeadLetter(handler, "test", Optional.empty(), record, true);
  }

  private Follow edge(Person follower, Person followee) {
    var item = harness.table.table().get(Follow.key(follower.id(), followee.id())).orElseThrow();
    return (Follow) RowCodec.decode(item);
  }

  private void unset(Key key, String attribute) {
    harness
        .table
        .client()
        .updateItem(
            u ->
                u.tableName(harness.table.table().name())
                    .key(KeyAttributes.of(key))
                    .updateExpression("REMOVE " + attribute));
  }

  private void set(Key key, String attribute, AttributeValue value) {
    harness
        .table
        .client()
        .updateItem(
            u ->
                u.tableName(harness.table.table().name())
                    .key(KeyAttributes.of(key))
                    .updateExpression("SET " + attribute + " = :v")
                    .expressionAttributeValues(Map.of(":v", value)));
  }
}
