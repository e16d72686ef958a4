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
import social.feed.streams.plan.Effect;
import social.feed.streams.plan.Effect.Count;
import social.feed.streams.plan.Effect.CountOnce;
import social.feed.streams.plan.Plan;
import social.feed.table.row.Follow;
import social.feed.table.row.Row;
import social.feed.table.row.TagTrend;
import social.feed.table.row.User;

/** What is said of a record that cannot be read is what the plan says of one that can. */
class UnreadableCountsTest {
  private static final Plan PLAN = new Plan(Duration.ofDays(90));

  /** What names the counters. */
  private static final Set<String> TELLING =
      Set.of("PK", "SK", "author_id", "created_at", "tags", "visibility");

  static Stream<DynamodbStreamRecord> records() {
    return SampleRowLists.all().values().stream()
        .flatMap(row -> Stream.of(StreamRecords.inserted(1, row), StreamRecords.removed(2, row)));
  }

  @ParameterizedTest
  @MethodSource("records")
  void unread_isForTheCounterThatThePlanNames(DynamodbStreamRecord record) {
    var planned =
        PLAN.of(ChangeDecoder.decode(record)).stream()
            .flatMap(UnreadableCountsTest::counter)
            .toList();
    var images = record.getDynamodb();
    for (var image :
        List.of(
            Optional.ofNullable(images.getNewImage()), Optional.ofNullable(images.getOldImage()))) {
      image.ifPresent(it -> it.keySet().retainAll(TELLING));
    }
    assertThat(PLAN.ofUnread(record)).containsExactlyInAnyOrderElementsOf(planned);
  }

  @Test
  void unread_thatDoesNotTellItsTime_isForWhatItsKeysTell() {
    var follow = StreamRecords.inserted(1, Follow.of("bob", "ann", SampleRowLists.AT));
    follow.getDynamodb().getNewImage().put("created_at", new AttributeValue("yesterday"));
    assertThat(PLAN.ofUnread(follow))
        .containsExactly(new Count(User.key("ann"), User.FOLLOWERS_COUNT, 0));
  }

  @Test
  void unread_changeOfWhoMayReadAPost_isForItsTags() {
    var post = sample("post");
    var hidden = sample("private post");
    var uses = new Count(TagTrend.key(Duration.ofHours(6), "sea"), "2026-03-01T12", 0);
    assertThat(PLAN.ofUnread(StreamRecords.modified(1, post, hidden))).containsExactly(uses);
    assertThat(PLAN.ofUnread(StreamRecords.modified(1, post, post))).isEmpty();
  }

  @Test
  void unread_withoutKeys_isForNone() {
    assertThat(PLAN.ofUnread(StreamRecords.of(1, "INSERT", null, null))).isEmpty();
  }

  private static Row sample(String name) {
    return requireNonNull(SampleRowLists.all().get(name));
  }

  private static Stream<Effect> counter(Effect effect) {
    return switch (effect) {
      case Count(var item, var attribute, _) -> Stream.of(new Count(item, attribute, 0));
      case CountOnce(var mark, var item, var attribute, _) ->
          Stream.of(new CountOnce(mark, item, attribute, 0));
      default -> Stream.empty();
    };
  }
}
