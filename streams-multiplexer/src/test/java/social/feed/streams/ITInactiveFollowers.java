package social.feed.streams;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.BackfillHandler.Backfill;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.effect.RebuildHandler.Rebuild;
import social.feed.streams.plan.Lane;
import social.feed.table.home.FanOuts;
import social.feed.table.home.FeedActivities;
import social.feed.table.home.FeedView;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.page.PageFiller;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** A reader who has not read for long costs nothing, and misses nothing on return. */
class ITInactiveFollowers {
  private static final int MAX_REBUILT = 1_000;

  private StreamHarness harness;
  private FeedActivities activities;
  private Person ann;
  private Person bob;
  private Person cid;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    activities = new FeedActivities(harness.table.table());
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    cid = harness.world.user("cid");
    bob.follows(ann);
    cid.follows(ann);
    ann.posts("in every feed");
    harness.drain();
    read(bob);
    read(cid);
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void post_isNotDeliveredToAnInactiveReader() {
    pass(20);
    read(cid);
    pass(20);
    var post = ann.posts("now");
    harness.drain();

    assertThat(stored(cid)).startsWith(post.postId()).hasSize(2);
    assertThat(stored(bob)).hasSize(1);
    var progress =
        new FanOuts(harness.table.table())
            .progress(post.postId(), harness.table.clock().instant())
            .orElseThrow();
    assertThat(progress.written()).isEqualTo(1);
    assertThat(progress.skipped()).isEqualTo(1);
    assertThat(progress.isDone()).isTrue();
  }

  /** Their activity is read together. */
  @Test
  void readerWithATimeThatIsNone_doesNotKeepPostsFromOtherReaders() {
    pass(40);
    read(bob);
    var item = new HashMap<>(RowCodec.encode(activity(cid)));
    item.put(FeedActivity.LAST_READ_AT, AttributeValue.fromS("yesterday"));
    harness.table.client().putItem(p -> p.tableName(harness.table.table().name()).item(item));
    harness.drain();
    harness.deadLetters.clear();
    var post = ann.posts("now");
    harness.drain();

    assertThat(stored(bob)).startsWith(post.postId());
    assertThat(stored(cid)).startsWith(post.postId());
    assertThat(harness.deadLetters).isEmpty();
  }

  @Test
  void delivery_toAnInactiveReader_writesNothing() {
    pass(40);
    var both = deliveryCost();
    read(cid);
    harness.drain();
    var one = deliveryCost();

    // The author's own entry, the fan-out plan and the note; and two units for a reader.
    assertThat(both.write()).isEqualTo(2 + 1 + 1);
    assertThat(one.write()).isEqualTo(2 + 1 + 1 + 2);
  }

  @Test
  void firstRead_isComplete_beforeAndAfterItsEffects() {
    pass(40);
    var post = ann.posts("while bob was away");
    var forFollowers = ann.posts("for followers", Visibility.FOLLOWERS);
    ann.posts("secret", Visibility.PRIVATE);
    harness.drain();
    harness.pause();

    var before = page(bob);
    harness.resume();
    harness.drain();

    assertThat(before).startsWith(forFollowers.postId(), post.postId()).hasSize(3);
    assertThat(page(bob)).isEqualTo(before);
    assertThat(stored(bob)).isEqualTo(before);
    assertThat(activity(bob).rebuildFrom()).isNull();
  }

  @Test
  void postBeforeTheFollow_deliveredAfterIt_staysWhenItIsReadFromTheAuthor() {
    var dot = harness.world.user("dot");
    var eve = harness.world.user("eve");
    harness.drain();
    harness.pause();
    var post = dot.posts("before the follow");
    var edge = eve.follows(dot);
    // The post's own effects need not come first.
    harness.handlers.apply(List.of(new Backfill(edge)));
    harness.handlers.apply(List.of(new FanOut(post)));
    assertThat(page(eve)).containsExactly(post.postId());

    pass(40);
    assertThat(page(eve)).containsExactly(post.postId());
  }

  @Test
  void postsAfterTheReturn_areDeliveredAgain() {
    pass(40);
    harness.pause();
    var away = ann.posts("while away");
    page(bob);
    var back = ann.posts("after the return");
    harness.resume();
    harness.drain();

    assertThat(stored(bob)).startsWith(back.postId(), away.postId());
    assertThat(page(bob)).isEqualTo(stored(bob));
  }

  @Test
  void replay_ofTheReturn_changesNothing() {
    pass(40);
    ann.posts("while away");
    harness.drain();
    read(bob);
    harness.drain();
    var before = stored(bob);
    var noted = activity(bob);

    harness.replay(Lane.EFFECTS);

    assertThat(stored(bob)).isEqualTo(before).hasSize(2);
    assertThat(activity(bob)).isEqualTo(noted);
    assertThat(harness.deadLetters).isEmpty();
  }

  @Test
  void secondReturn_deliversThePostsSinceTheFirst() {
    for (int round = 0; round < 3; round++) {
      pass(40);
      ann.posts("round " + round);
      harness.drain();
      assertThat(stored(bob)).hasSize(1 + round);
      read(bob);
      harness.drain();
      assertThat(stored(bob)).hasSize(2 + round);
    }
  }

  @Test
  void unfollowOrDelete_duringTheRebuild_leaveNoEntry() {
    pass(40);
    var deleted = ann.posts("deleted during the rebuild");
    harness.drain();
    harness.between.after(request -> writes(request, bob), () -> ann.deletes(deleted));
    read(bob);
    harness.drain();
    assertThat(harness.between.happened()).isTrue();
    assertThat(stored(bob)).hasSize(1);

    pass(40);
    ann.posts("unfollowed during the rebuild");
    harness.drain();
    harness.between.after(request -> writes(request, bob), () -> bob.unfollows(ann));
    read(bob);
    harness.drain();
    assertThat(harness.between.happened()).isTrue();
    assertThat(stored(bob)).isEmpty();
  }

  @Test
  void entryOfAnAttemptThatWasCutOff_isRemoved_afterAnUnfollow() {
    pass(40);
    var post = ann.posts("written, and not looked at again");
    harness.drain();
    bob.unfollows(ann);
    harness.drain();
    harness.world.feeds.deliver(List.of(FeedEntry.of(post.ref(), bob.id())));

    read(bob);
    harness.drain();

    assertThat(stored(bob)).isEmpty();
  }

  @Test
  void entriesBeyondTheLimitOfFeeds_areNotWritten_butReadFromTheAuthors() {
    pass(100);
    ann.posts("now");
    harness.drain();
    var eve = harness.world.user("eve");
    eve.follows(ann);
    harness.drain();

    assertThat(stored(eve)).hasSize(1);
    assertThat(page(eve)).hasSize(2);
  }

  /** As in a replayed batch, or an import: the first read would not reach back so far. */
  @Test
  void oldPost_isDeliveredToAllFollowers() {
    harness.pause();
    var post = ann.posts("delivered two months late");
    pass(60);
    harness.resume();
    harness.drain();

    assertThat(stored(bob)).startsWith(post.postId()).hasSize(2);
    assertThat(page(bob)).startsWith(post.postId()).hasSize(2);
  }

  @Test
  void inactiveReader_getsPostsOfARecentlyFollowedAuthor() {
    pass(40);
    var dot = harness.world.user("dot");
    bob.follows(dot);
    harness.drain();
    harness.pause();
    var ofAnn = ann.posts("left out");
    var ofDot = dot.posts("not left out");

    harness.handlers.apply(List.of(new FanOut(ofAnn), new FanOut(ofDot)));

    assertThat(stored(bob)).startsWith(ofDot.postId()).hasSize(2);
  }

  /** The slower of two attempts writes entries that no other effect checks. */
  @Test
  void unfollow_afterTheSlowerOfTwoConcurrentRebuilds_leavesNoEntry() {
    pass(40);
    ann.posts("unfollowed during the rebuild");
    harness.drain();
    harness.pause();
    var awoken = read(bob);
    harness.between.before(
        request -> writes(request, bob),
        () -> {
          bob.unfollows(ann);
          harness.resume();
          harness.drain();
        });

    harness.handlers.apply(List.of(new Rebuild(awoken)));

    assertThat(harness.between.happened()).isTrue();
    assertThat(stored(bob)).isEmpty();
  }

  /** The attempt wrote after another one had noted the end, and was cut off before its check. */
  @Test
  void entryOfAnAttemptThatWasCutOff_afterTheNoteOfAnother_isRemovedByARetry() {
    pass(40);
    var post = ann.posts("unfollowed during the rebuild");
    harness.drain();
    var awoken = read(bob);
    harness.drain();
    bob.unfollows(ann);
    harness.drain();
    harness.world.feeds.deliver(List.of(FeedEntry.of(post.ref(), bob.id())));

    harness.handlers.apply(List.of(new Rebuild(awoken)));

    assertThat(stored(bob)).isEmpty();
  }

  /** So the check after the rebuild reads what an attempt may have written, not all of the feed. */
  @Test
  void rebuildThatGivesUpOrIsCutOff_hasNotedHowFarBackItReaches() {
    pass(40);
    harness.pause();
    var posts = new ArrayList<Post>();
    for (int number = 0; number <= MAX_REBUILT; number++) {
      harness.table.clock().advance(Duration.ofSeconds(1));
      posts.add(ann.posts("while away"));
    }
    var awoken = read(bob);
    var attempts = new AtomicInteger();
    harness.between.before(this::notes, () -> changeBeforeTheNote(attempts));
    assertThatThrownBy(() -> harness.handlers.apply(List.of(new Rebuild(awoken))))
        .isInstanceOf(ThrottledException.class);
    assertThat(attempts).hasValue(harness.table.table().retry().attempts());
    assertThat(stored(bob)).hasSize(1);
    var noted = new ArrayList<FeedActivity>();
    harness.between.before(
        request -> writes(request, bob),
        () -> {
          noted.add(activity(bob));
          throw SdkClientException.create("cut off");
        });

    assertThatThrownBy(() -> harness.handlers.apply(List.of(new Rebuild(awoken))))
        .isInstanceOf(SdkClientException.class);
    assertThat(stored(bob)).hasSize(1);
    harness.handlers.apply(List.of(new Rebuild(awoken)));

    var oldest = posts.get(1).createdAt();
    assertThat(noted).extracting(FeedActivity::rebuildFrom).containsExactly(oldest);
    assertThat(stored(bob)).hasSize(1 + MAX_REBUILT);
    assertThat(activity(bob))
        .isEqualTo(new FeedActivity(bob.id(), awoken.lastReadAt(), oldest, null));
  }

  /** Other posts of the oldest millisecond may be among those that were dropped. */
  @Test
  void rebuildOfMorePostsThanItWrites_isCompleteAfterTheOldestMillisecond() {
    pass(40);
    harness.pause();
    var first = Timestamps.now(harness.table.clock());
    harness
        .table
        .table()
        .putAll(
            IntStream.rangeClosed(0, MAX_REBUILT)
                .mapToObj(
                    number -> SamplePosts.of(ann.id(), first.plusMillis(number), FanOutMode.PUSH))
                .toList());
    harness.table.clock().advance(Duration.ofSeconds(2));
    var awoken = read(bob);

    harness.handlers.apply(List.of(new Rebuild(awoken)));

    assertThat(stored(bob)).hasSize(1 + MAX_REBUILT);
    assertThat(activity(bob))
        .isEqualTo(new FeedActivity(bob.id(), awoken.lastReadAt(), first.plusMillis(2), null));
  }

  private boolean notes(SdkRequest request) {
    return request instanceof PutItemRequest put
        && put.item().containsKey(FeedActivity.REBUILD_FROM);
  }

  /** Another attempt changes the row whenever this one is about to note its progress. */
  private void changeBeforeTheNote(AtomicInteger attempts) {
    attempts.incrementAndGet();
    var from = requireNonNull(activity(bob).rebuildFrom());
    harness
        .table
        .table()
        .update(
            FeedActivity.key(bob.id()),
            new Update().set(FeedActivity.REBUILD_FROM, from.plusMillis(1)),
            Condition.present());
    harness.between.before(this::notes, () -> changeBeforeTheNote(attempts));
  }

  private ConsumedUnits deliveryCost() {
    harness.drain();
    harness.pause();
    var post = ann.posts("x");
    var cost = TestTable.costOf(() -> harness.handlers.apply(List.of(new FanOut(post))));
    harness.resume();
    return cost;
  }

  private void pass(int days) {
    harness.table.clock().advance(Duration.ofDays(days));
  }

  private FeedActivity read(Person reader) {
    var now = Timestamps.now(harness.table.clock());
    return activities.read(reader.id(), now, () -> Optional.of(reader.account().createdAt()));
  }

  private FeedActivity activity(Person reader) {
    return activities.get(reader.id()).orElseThrow();
  }

  /** The whole feed as the API shows it. */
  private List<String> page(Person reader) {
    var since = read(reader).storedSince();
    var horizon = FeedEntry.horizon(harness.table.clock().instant());
    var end = since == null || since.isBefore(horizon) ? horizon : since;
    var view = new FeedView(reader.id(), List.of(), end);
    var all = new ArrayList<String>();
    var request = PageRequest.first(50);
    while (true) {
      var page =
          PageFiller.fill(request, part -> harness.world.feeds.of(view, part), slots -> slots);
      page.items().forEach(ref -> all.add(ref.postId()));
      if (page.next() == null) {
        return all;
      }
      request = request.from(page.next());
    }
  }

  private List<String> stored(Person reader) {
    var all = new ArrayList<String>();
    var request = PageRequest.first(50);
    while (true) {
      var page = harness.world.feeds.stored(reader.id(), request);
      page.items().stream().map(FeedRef::postId).forEach(all::add);
      if (page.next() == null) {
        return all;
      }
      request = request.from(page.next());
    }
  }

  private static boolean writes(SdkRequest request, Person reader) {
    return request instanceof BatchWriteItemRequest batch
        && batch.toString().contains("FEED#" + reader.id());
  }
}
