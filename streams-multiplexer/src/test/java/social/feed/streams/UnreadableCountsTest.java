package social.feed.streams;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.effect.Count;
import social.feed.streams.effect.CountOnceHandler.CountOnce;
import social.feed.streams.plan.Plan;
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.Row;
import social.feed.table.row.TagUses;
import social.feed.table.row.User;

/** An unreadable record has the counters that the plan has for the same record when readable. */
class UnreadableCountsTest {
  private static final Plan PLAN = new Plan(Duration.ofDays(90));

  /** The attributes that name the counters. */
  private static final Set<String> NAMING =
      Set.of("PK", "SK", "author_id", "created_at", "tags", "visibility", "counted", "read");

  static Stream<DynamodbStreamRecord> records() {
    // The lane does not pass a fence that it cannot read, and the repair waits in vain.
    return SampleRowLists.all().values().stream()
        .filter(row -> !(row instanceof Fence))
        .flatMap(row -> Stream.of(StreamRecords.inserted(1, row), StreamRecords.removed(2, row)));
  }

  @ParameterizedTest
  @MethodSource("records")
  void unreadableRecord_hasTheCountersOfThePlan(DynamodbStreamRecord record) {
    var change = ChangeDecoder.decode(record);
    var counts =
        PLAN.counts(change).stream().map(it -> new Count(it.item(), it.attribute(), 0)).toList();
    var countsOnce =
        PLAN.effects(change).stream()
            .filter(CountOnce.class::isInstance)
            .map(CountOnce.class::cast)
            .map(it -> new CountOnce(it.event(), it.item(), it.attribute(), 0))
            .toList();
    var images = record.getDynamodb();
    for (var image :
        List.of(
            Optional.ofNullable(images.getNewImage()), Optional.ofNullable(images.getOldImage()))) {
      image.ifPresent(it -> it.keySet().retainAll(NAMING));
    }
    assertThat(PLAN.unreadableCounts(record)).containsExactlyInAnyOrderElementsOf(counts);
    assertThat(PLAN.unreadableCountsOnce(record)).containsExactlyInAnyOrderElementsOf(countsOnce);
  }

  @Test
  void unreadableRecord_withoutAValidTime_hasTheCountersOfItsKeys() {
    var follow = StreamRecords.inserted(1, Follow.of("bob", "ann", SampleRowLists.AT));
    follow.getDynamodb().getNewImage().put("created_at", new AttributeValue("yesterday"));
    assertThat(PLAN.unreadableCounts(follow))
        .containsExactly(new Count(User.key("ann"), User.FOLLOWERS_COUNT, 0));
  }

  @Test
  void unreadableChangeOfVisibility_hasTheCountersOfTheTags() {
    var post = sample("post");
    var hidden = sample("private post");
    var uses =
        new Count(TagUses.key(Duration.ofHours(6), "sea", SampleRowLists.AT), TagUses.USES, 0);
    var change = StreamRecords.modified(1, post, hidden);
    assertThat(PLAN.unreadableCounts(change)).containsExactly(uses);
    assertThat(PLAN.unreadableCountsOnce(change)).isEmpty();
    var same = StreamRecords.modified(1, post, post);
    assertThat(PLAN.unreadableCounts(same)).isEmpty();
    assertThat(PLAN.unreadableCountsOnce(same)).isEmpty();
  }

  @Test
  void tagThatIsNoPartOfAKey_hasNoCounter_andTheOthersHave() {
    var post = StreamRecords.inserted(1, sample("post"));
    var tags =
        List.of(new AttributeValue("#sea"), new AttributeValue(""), new AttributeValue("sea"));
    post.getDynamodb().getNewImage().put("tags", new AttributeValue().withL(tags));

    assertThat(PLAN.unreadableCounts(post))
        .containsExactly(
            new Count(TagUses.key(Duration.ofHours(6), "sea", SampleRowLists.AT), TagUses.USES, 0));
  }

  @Test
  void unreadableRecord_withoutKeys_hasNoCounters() {
    var record = StreamRecords.of(1, "INSERT", null, null);
    assertThat(PLAN.unreadableCounts(record)).isEmpty();
    assertThat(PLAN.unreadableCountsOnce(record)).isEmpty();
  }

  private static Row sample(String name) {
    return requireNonNull(SampleRowLists.all().get(name));
  }
}
