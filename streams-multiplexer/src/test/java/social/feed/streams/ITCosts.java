package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.effect.RemoveFromFeedHandler.RemoveFromFeed;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;

/** The cost of effects in request units, as the engine reports them. */
class ITCosts {
  private static final int EVENTS = 100;
  private static final int FOLLOWERS = 30;
  private static final int POSTS = 30;

  private StreamHarness harness;
  private Person ann;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    harness.pause();
    ann = harness.world.user("ann");
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void fanOut_takesTwoWriteUnitsAFeed_andOneEachForItsPlanAndItsNote() {
    for (int i = 0; i < FOLLOWERS; i++) {
      harness.world.user("f" + i).follows(ann);
    }
    var post = ann.posts("hello");
    var cost = TestTable.costOf(() -> harness.handlers.apply(List.of(new FanOut(post))));
    assertThat(cost.write()).isEqualTo(2.0 * (FOLLOWERS + 1) + 2);
    assertThat(cost.read()).isLessThanOrEqualTo(9);
  }

  @Test
  void hotCounter_takesAFifthOfAWriteUnitAnEvent_andLikeWithItsCountTwoAndAQuarter() {
    var post = ann.posts("hello");
    var like = TestTable.costOf(() -> harness.world.user("bob").likes(post));
    var batch =
        TestTable.costOf(() -> harness.multiplexer.handle(Lane.COUNTS, window(likes(post))));
    assertThat(likesOf(post)).isEqualTo(EVENTS);
    assertThat(batch.write() / EVENTS).isLessThanOrEqualTo(0.2);
    // Four units of the like's cost are for the account that was registered for it.
    assertThat(like.write() - 4 + batch.write() / EVENTS).isLessThanOrEqualTo(2.25);
  }

  @Test
  void replayedCounts_takeNoWriteUnits() {
    var post = ann.posts("hello");
    harness.multiplexer.handle(Lane.COUNTS, window(likes(post)));
    var again =
        TestTable.costOf(() -> harness.multiplexer.handle(Lane.COUNTS, window(likes(post))));
    assertThat(again).isEqualTo(new ConsumedUnits(again.read(), 0));
    assertThat(again.read()).isLessThanOrEqualTo(0.5);
    assertThat(likesOf(post)).isEqualTo(EVENTS);
  }

  @Test
  void unfollow_takesAReadUnitForEachPostOfTheAuthor_andNothingForTheRestOfTheFeed() {
    var bob = harness.world.user("bob");
    var edge = bob.follows(ann);
    bob.unfollows(ann);
    var ofAnn = entries(bob, ann, POSTS);
    try (var bill = harness.table.bill()) {
      unfollow(edge);
      var alone = bill.take().units();
      harness.world.feeds.deliver(ofAnn);
      entries(bob, harness.world.user("cid"), 10 * POSTS);
      bill.take();
      unfollow(edge);
      var inALargeFeed = bill.take().units();

      // The edge and the retained posts before and after, the author's list, and what was delivered
      // lately.
      assertThat(alone).isEqualTo(new ConsumedUnits(2 * 2 + 2 + POSTS, 2.0 * POSTS));
      assertThat(inALargeFeed).isEqualTo(alone);
    }
  }

  /** Puts new posts of an author into a feed. */
  private List<FeedEntry> entries(Person reader, Person author, int posts) {
    var entries =
        IntStream.range(0, posts)
            .mapToObj(i -> FeedEntry.of(author.posts("post " + i).ref(), reader.id()))
            .toList();
    harness.world.feeds.deliver(entries);
    return entries;
  }

  private void unfollow(Follow edge) {
    harness.handlers.apply(List.of(new RemoveFromFeed(edge)));
  }

  private long likesOf(Post post) {
    return harness.world.posts.get(post.postId()).orElseThrow().likesCount();
  }

  private static List<DynamodbStreamRecord> likes(Post post) {
    var records = new ArrayList<DynamodbStreamRecord>();
    for (int i = 0; i < EVENTS; i++) {
      var like = new Like(post.postId(), "u" + i, post.authorId(), post.createdAt());
      records.add(StreamRecords.inserted(i, like));
    }
    return records;
  }

  private static DynamodbTimeWindowEvent window(List<DynamodbStreamRecord> records) {
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(records);
    event.setShardId("shardId-00000001772366400000-00000001");
    event.setState(Map.of());
    return event;
  }
}
