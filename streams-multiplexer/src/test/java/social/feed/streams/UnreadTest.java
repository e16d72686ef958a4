package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.plan.Effect;
import social.feed.streams.plan.Effect.Count;
import social.feed.streams.plan.Effect.CountOnce;
import social.feed.streams.plan.Plan;
import social.feed.streams.plan.Unread;

/** What is said of a record that cannot be read is what the plan says of one that can. */
class UnreadTest {
  private static final Plan PLAN = new Plan(Duration.ofDays(90));

  static Stream<DynamodbStreamRecord> records() {
    return SampleRows.all().values().stream()
        .flatMap(row -> Stream.of(StreamRecords.inserted(1, row), StreamRecords.removed(2, row)));
  }

  @ParameterizedTest
  @MethodSource("records")
  void unread_isForTheCounterThatThePlanNames(DynamodbStreamRecord record) {
    var planned =
        PLAN.of(ChangeDecoder.decode(record)).stream().flatMap(UnreadTest::counter).findFirst();
    var images = record.getDynamodb();
    for (var image :
        List.of(
            Optional.ofNullable(images.getNewImage()), Optional.ofNullable(images.getOldImage()))) {
      image.ifPresent(it -> it.keySet().retainAll(List.of("PK", "SK", "author_id")));
    }
    assertThat(Unread.of(record)).isEqualTo(planned);
  }

  @Test
  void unread_withoutKeys_isForNone() {
    assertThat(Unread.of(StreamRecords.of(1, "INSERT", null, null))).isEmpty();
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
