package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.home.FanOuts;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.notification.Notifications;
import social.feed.table.notification.PostNotifications;
import social.feed.table.post.PostCleanUps;
import social.feed.table.post.PostCleanUps.Part;
import social.feed.table.post.PostTags;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.PostNotification;
import social.feed.table.row.PostNotificationChunk;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.TestTable;
import social.feed.testkit.fault.CrashPoint;
import social.feed.testkit.fault.CrashPoint.Crash;
import social.feed.testkit.fault.CrashPoint.Side;
import social.feed.testkit.fault.WiredClient;

/** Parts of a removal take everything that belongs to the post, whatever their size. */
@ExtendWith(EngineExtension.class)
class ITPostCleanUps {
  /** A removal in so many parts goes round in circles. */
  private static final int ENDLESS = 1_000;

  private static final int READERS = 60;
  private static final int LIKES = 30;
  private static final long LATER = 4_000_000_000L;

  private final TestTable table;
  private final SeedWorld world;
  private final SeedWorld.Person alice;
  private final PostCleanUps cleanUps;

  ITPostCleanUps(TestTable table, SeedWorld world) {
    this.table = table;
    this.world = world;
    this.alice = world.user("alice");
    this.cleanUps = new PostCleanUps(table.table());
  }

  @Test
  void parts_ofADeletedPost_removeEverythingOnce_andNothingOfAnother() {
    for (int limit : List.of(1, 7, 60, 61, 1_000)) {
      var post = lively();
      var other = lively();
      var parts = parts(post, limit);

      assertThat(rows(post)).as("parts of %d", limit).containsExactly(record(post).key());
      assertThat(notifications(post)).isEmpty();
      assertThat(rows(other)).hasSize(READERS + 1 + 2 + LIKES * 2 + 2 + 3);
      assertThat(notifications(other)).hasSize(1);
      assertThat(parts).last().returns(Optional.empty(), Part::rest);
      assertThat(parts).hasSizeLessThanOrEqualTo((READERS + 2 + LIKES * 2 + 5) / limit + 1);
    }
  }

  /** The removal of a post finds its notifications by their records. */
  @Test
  void notificationsOfAPost_haveTheirRecordsFirst_whereverTheProcessDies() {
    for (int at = 1; at <= 3; at++) {
      var post = alice.posts("#a");
      var all =
          Stream.of("bob", "cid")
              .map(
                  reader ->
                      new PostNotification(
                          post.postId(), reader, alice.id(), post.createdAt(), LATER))
              .toList();
      var cut = new CrashPoint(at, Side.AFTER);
      var over = FaultyTable.retrying(WiredClient.of(table.client(), cut), table.table().name(), 1);
      var notifications = new PostNotifications(over, new Notifications(over, table.clock()));

      assertThatThrownBy(() -> notifications.notify(all, 1)).isInstanceOf(Crash.class);

      assertThat(all)
          .filteredOn(one -> table.table().get(one.notification().key()).isPresent())
          .allMatch(one -> table.table().get(one.key()).isPresent());
    }
  }

  @Test
  void partOfEverything_costsAQueryASource() {
    var post = alice.posts("x");
    var observed =
        Observed.of(table, () -> cleanUps.removeAll(post.postId(), post.feedShards(), null, 500));

    assertThat(observed.answer()).isEqualTo(Part.NONE);
    assertThat(observed.requests()).hasSize(post.feedShards() + 6 + 1);
  }

  @Test
  void withdrawal_keepsTheAuthorsEntry_inEachPart() {
    var post = lively();
    var rest = Optional.<Key>empty();
    int parts = 0;
    do {
      var part = cleanUps.withdraw(post, rest.orElse(null), 7);
      rest = part.rest();
      parts++;
    } while (rest.isPresent() && parts < ENDLESS);

    assertThat(parts).isBetween(READERS / 7, READERS / 7 + 2);
    assertThat(world.feeds.holders(post.postId(), post.feedShards())).containsExactly(alice.id());
    assertThat(cleanUps.withdraw(post, null, 1_000)).isEqualTo(Part.NONE);
  }

  @Test
  void withdrawal_saysThatAFeedHadThePost_whateverItsShard() {
    var post = alice.posts("x");
    assertThat(post.feedShards()).isGreaterThan(1);
    var shards = new HashSet<String>();
    for (int i = 0; i < READERS; i++) {
      var entry = FeedEntry.of(post.ref(), "r" + i);
      world.feeds.deliver(List.of(entry));
      shards.add(entry.key().partition());

      assertThat(cleanUps.withdraw(post, null, 1_000).hadRows()).as("%s", entry.key()).isTrue();
    }
    assertThat(shards).hasSize(post.feedShards());
    assertThat(cleanUps.withdraw(post, null, 1_000)).isEqualTo(Part.NONE);
  }

  @Test
  void removalFromFeeds_orOfChildren_leavesTheOther() {
    var post = lively();
    cleanUps.removeFromFeeds(post.postId(), post.feedShards(), 1_000);
    assertThat(world.feeds.holders(post.postId(), post.feedShards())).isEmpty();
    assertThat(children(post)).hasSize(2 + LIKES * 2);

    cleanUps.removeChildren(post.postId(), 1_000);
    assertThat(children(post)).isEmpty();
    assertThat(world.posts.get(post.postId())).isPresent();
  }

  @Test
  void order_isReplacedByALaterOne_andEndsOnlyUnchanged() {
    var post = alice.posts("x");
    var at = table.clock().instant();
    var first = PostCleanUp.of(post.postId(), 1, Cause.DELETED, Like.key(post.postId(), "bob"), at);
    cleanUps.order(first);
    assertThat(cleanUps.find(first.key())).contains(first);

    var second =
        PostCleanUp.of(post.postId(), 1, Cause.DELETED, Like.key(post.postId(), "cid"), at);
    cleanUps.order(second);
    assertThat(cleanUps.find(first.key()))
        .contains(first.after(second.position(), at))
        .map(PostCleanUp::revision)
        .contains(first.revision() + 1);

    cleanUps.end(first);
    assertThat(cleanUps.advance(first, first.position(), at)).isFalse();
    var stored = cleanUps.find(first.key()).orElseThrow();
    assertThat(cleanUps.advance(stored, first.position(), at)).isTrue();
    cleanUps.end(stored.again(at));
    assertThat(cleanUps.find(first.key())).isEmpty();
  }

  /** An effect may have read the order, and wait until the post has another one. */
  @Test
  void orderAfterOneThatEnded_isAnotherOne() {
    var post = alice.posts("x");
    var at = table.clock().instant();
    var ended = PostCleanUp.of(post.postId(), 1, Cause.DELETED, Like.key(post.postId(), "bob"), at);
    cleanUps.order(ended);
    cleanUps.end(ended);
    var later =
        PostCleanUp.of(
            post.postId(), 1, Cause.DELETED, Like.key(post.postId(), "ann"), at.plusMillis(1));
    cleanUps.order(later);

    cleanUps.end(ended);
    assertThat(cleanUps.advance(ended, Like.key(post.postId(), "zoe"), at)).isFalse();

    assertThat(cleanUps.find(later.key())).contains(later);
  }

  private List<Part> parts(Post post, int limit) {
    var parts = new ArrayList<Part>();
    var after = Optional.<Key>empty();
    do {
      var part = cleanUps.removeAll(post.postId(), post.feedShards(), after.orElse(null), limit);
      parts.add(part);
      after = part.rest();
    } while (after.isPresent() && parts.size() < ENDLESS);
    return parts;
  }

  /** A post with rows of each kind that it can have. */
  private Post lively() {
    var post = alice.posts("#a #b");
    world.feeds.deliver(
        Stream.concat(Stream.of(alice.id()), IntStream.range(0, READERS).mapToObj(i -> "r" + i))
            .map(reader -> FeedEntry.of(post.ref(), reader))
            .toList());
    new PostTags(table.table()).write(List.of(post));
    for (int i = 0; i < LIKES; i++) {
      world.likes.add(new Like(post.postId(), "l" + i, alice.id(), post.createdAt()));
      alice.comments(post, "c" + i);
    }
    var fanOuts = new FanOuts(table.table());
    var plan = fanOuts.begin(FanOutPlan.begun(post.postId(), "x", post.createdAt(), LATER));
    fanOuts.add(FanOutChunk.of(plan, post, 0, "a", "b", 2));
    var notifications = new PostNotifications(table.table(), world.notifications);
    table
        .table()
        .putAll(
            List.of(
                new PostNotificationChunk(post.postId(), 0, "a", "b", LATER),
                new PostNotificationChunk(post.postId(), 1, "c", "d", LATER)));
    notifications.notify(List.of(record(post)), 1);
    return post;
  }

  private PostNotification record(Post post) {
    return new PostNotification(post.postId(), "bob", alice.id(), post.createdAt(), LATER);
  }

  private List<Key> notifications(Post post) {
    return Stream.of(record(post).notification().key())
        .filter(key -> table.table().get(key).isPresent())
        .toList();
  }

  /** All rows under a post, without the post. */
  private List<Key> rows(Post post) {
    var feeds =
        IntStream.range(0, post.feedShards()).mapToObj(shard -> Keys.fanout(post.postId(), shard));
    return Stream.concat(
            Stream.concat(feeds, Stream.of(Keys.fanout(post.postId()))).flatMap(this::keys),
            children(post).stream())
        .toList();
  }

  private List<Key> children(Post post) {
    return keys(Keys.post(post.postId())).filter(key -> !key.equals(post.key())).toList();
  }

  private Stream<Key> keys(String partition) {
    return new PartitionQueries(table.table()).keys(partition).flatMap(List::stream);
  }
}
