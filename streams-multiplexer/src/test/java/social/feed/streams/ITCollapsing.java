package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Like;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** The calls of a batch in which one item changes often. */
class ITCollapsing {
  /** The calls of a change of visibility without followers, mentions and tags. */
  private static final int HIDING = 7;

  /** The calls of a change that is left to a later record, and of its notifications. */
  private static final int LEFT = 3;

  private final AtomicInteger calls = new AtomicInteger();
  private final StreamHarness harness = StreamHarness.startOver(counting());
  private Person ann;
  private Person bob;

  private Wire counting() {
    return new Wire() {
      @Override
      public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
        calls.incrementAndGet();
        return table.apply(request);
      }
    };
  }

  @BeforeEach
  void start() {
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    harness.drain();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void fiftyFlips_costTheCallsOfOne() {
    var post = ann.posts("hello");
    var hidden = hide(post);
    assertThat(calls(flips(post, hidden, 1))).as("notes that it begins").isEqualTo(HIDING + 1);

    int one = calls(flips(post, hidden, 1));
    int fifty = calls(flips(post, hidden, 51));
    int each = flips(post, hidden, 51).stream().mapToInt(record -> calls(List.of(record))).sum();

    assertThat(one).isEqualTo(HIDING);
    assertThat(fifty).isEqualTo(one);
    assertThat(each).isEqualTo(51 * one);
  }

  @Test
  void flips_amongChangesOfOthers_endWithTheLastState() {
    bob.follows(ann);
    var post = ann.posts("hello #sea");
    var other = bob.posts("hello too");
    var records = new ArrayList<>(flips(post, hide(post), 51));
    records.add(0, StreamRecords.inserted(0, post));
    records.add(20, StreamRecords.inserted(100, other));

    assertThat(calls(records)).isPositive();

    assertThat(harness.rows())
        .filteredOn(FeedEntry.class::isInstance)
        .extracting(row -> row.key())
        .containsExactlyInAnyOrder(
            FeedEntry.of(post.ref(), ann.id()).key(), FeedEntry.of(other.ref(), bob.id()).key());
  }

  @Test
  void flip_ofAPostThatChangedSince_isLeftToTheRecordOfThatChange() {
    bob.follows(ann);
    var post = ann.posts("hello #sea");
    var hidden = hide(post);
    var shown = change(post, Visibility.PUBLIC);
    var again = change(post, Visibility.PRIVATE);
    var bobs = FeedEntry.of(post.ref(), bob.id());

    assertThat(calls(List.of(StreamRecords.modified(1, post, hidden)))).isEqualTo(LEFT);
    assertThat(calls(List.of(StreamRecords.modified(2, hidden, shown)))).isEqualTo(LEFT);
    assertThat(harness.rows()).contains(bobs);
    assertThat(calls(List.of(StreamRecords.modified(3, shown, again)))).isGreaterThan(HIDING);
    assertThat(harness.rows()).doesNotContain(bobs);
  }

  @Test
  void likesAndUnlikesInTurn_costTheCallsOfOneLikeAndOneRemoval_andLeaveTheLastNotification() {
    var post = bob.posts("hello");
    var first = ann.likes(post);
    harness.drain();
    harness.pause();
    var turns = new ArrayList<DynamodbStreamRecord>();
    var like = first;
    for (int i = 1; i < 50; i += 2) {
      turns.add(StreamRecords.removed(i, like));
      like = later(like, i);
      turns.add(StreamRecords.inserted(i + 1, like));
    }
    ann.unlikes(post);
    harness.world.likes.add(like);
    var last = like;

    int together = calls(turns);
    assertThat(notifications())
        .singleElement()
        .satisfies(left -> assertThat(left.createdAt()).isEqualTo(last.createdAt()));
    int again = calls(turns);
    assertThat(notifications()).hasSize(1);
    int each = turns.stream().mapToInt(record -> calls(List.of(record))).sum();

    assertThat(together).isEqualTo(again).isEqualTo(calls(turns.subList(48, 50)));
    assertThat(each).isGreaterThan(20 * together);
    assertThat(notifications()).hasSize(1);
  }

  /** An attempt that was cut off may have written what is undone in the batch. */
  @Test
  void likesThatAreUndone_areRetracted_whateverAnEarlierAttemptWrote() {
    var post = bob.posts("hello");
    harness.drain();
    harness.pause();
    var one = ann.likes(post);
    assertThat(calls(List.of(StreamRecords.inserted(1, one)))).isPositive();
    ann.unlikes(post);
    var another = later(one, 5);
    harness.world.likes.add(another);
    assertThat(calls(List.of(StreamRecords.inserted(3, another)))).isPositive();
    ann.unlikes(post);
    assertThat(notifications()).hasSize(2);

    assertThat(
            calls(
                List.of(
                    StreamRecords.inserted(1, one),
                    StreamRecords.removed(2, one),
                    StreamRecords.inserted(3, another),
                    StreamRecords.removed(4, another))))
        .as("both in one deletion")
        .isEqualTo(1);

    assertThat(notifications()).isEmpty();
  }

  @Test
  void likesOfAPostWhoseLikesAreSpread_readThePostOnce_andNotifyNoOne() {
    var post = bob.posts("hello");
    harness.drain();
    harness.pause();
    var records = new ArrayList<DynamodbStreamRecord>();
    for (int i = 0; i < 90; i++) {
      var like = new Like(post.postId(), "liker" + i, bob.id(), post.createdAt(), i % 16);
      harness.world.likes.add(like);
      records.add(StreamRecords.inserted(i, like));
    }
    assertThat(calls(records)).isEqualTo(1);
    assertThat(notifications()).isEmpty();
  }

  private static Like later(Like like, int millis) {
    return new Like(
        like.postId(), like.userId(), like.postAuthorId(), like.createdAt().plusMillis(millis));
  }

  private List<Notification> notifications() {
    return harness.world.notifications.all(bob.id(), PageRequest.first(50)).items();
  }

  private Post change(Post post, Visibility visibility) {
    return harness
        .world
        .posts
        .changeVisibility(post.postId(), post.authorId(), visibility)
        .orElseThrow();
  }

  /** Makes a post private behind the stream; returns it. */
  private Post hide(Post post) {
    harness.drain();
    harness.pause();
    return change(post, Visibility.PRIVATE);
  }

  /** Hides and shows a post in turn; an odd number ends with a private post. */
  private static List<DynamodbStreamRecord> flips(Post post, Post hidden, int number) {
    var records = new ArrayList<DynamodbStreamRecord>();
    for (int i = 1; i <= number; i++) {
      records.add(
          i % 2 == 0
              ? StreamRecords.modified(i, hidden, post)
              : StreamRecords.modified(i, post, hidden));
    }
    return records;
  }

  private int calls(List<DynamodbStreamRecord> records) {
    calls.set(0);
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(records);
    assertThat(harness.multiplexer.handle(Lane.EFFECTS, event).getBatchItemFailures()).isEmpty();
    return calls.get();
  }
}
