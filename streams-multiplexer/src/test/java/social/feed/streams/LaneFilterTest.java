package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.streams.change.Change;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Inbox;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Row;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;

class LaneFilterTest {
  private final Plan plan = new Plan(Duration.ofDays(90));

  @Test
  void lanes_acceptEveryRecordThatHasEffectsInThem() {
    for (var row : SampleRowLists.all().values()) {
      for (var record : everyEventOf(row)) {
        assertThat(accepting(record))
            .as("%s of %s", record.getEventName(), row)
            .containsAll(lanesWithEffects(ChangeDecoder.decode(record)));
      }
    }
  }

  @Test
  void multiplexersOwnWrites_areKeptOutOfBothLanes() {
    for (var row : SampleRowLists.all().values()) {
      switch (row) {
        case PostTag _, FeedEntry _, ProcessedEvent _, TopAuthor _, TagTrend _ ->
            everyEventOf(row).forEach(record -> assertThat(accepting(record)).isEmpty());
        case Post _, User _, Follow _, Notification _, Inbox _ ->
            assertThat(accepting(StreamRecords.modified(1, row, row))).isEmpty();
        default -> assertThat(row).isInstanceOf(Row.class);
      }
    }
  }

  @Test
  void record_ofAnUnknownEntity_isAcceptedByBoth() {
    var image = Map.of("entity", new AttributeValue("TEAPOT"));
    assertThat(accepting(StreamRecords.of(1, "INSERT", null, image)))
        .containsExactly(Lane.values());
  }

  @Test
  void record_withoutEntityOrImage_isAcceptedByBoth() {
    var nameless = Map.of("PK", new AttributeValue("A"));
    assertThat(accepting(StreamRecords.of(1, "REMOVE", nameless, null))).hasSize(2);
    assertThat(accepting(StreamRecords.of(1, "INSERT", null, null))).hasSize(2);
  }

  private List<Lane> lanesWithEffects(Change change) {
    var lanes = new ArrayList<Lane>();
    if (!plan.counts(change).isEmpty()) {
      lanes.add(Lane.COUNTS);
    }
    if (!plan.effects(change).isEmpty()) {
      lanes.add(Lane.EFFECTS);
    }
    return lanes;
  }

  private static List<Lane> accepting(DynamodbStreamRecord record) {
    return Arrays.stream(Lane.values()).filter(lane -> LaneFilter.accepts(lane, record)).toList();
  }

  private static List<DynamodbStreamRecord> everyEventOf(Row row) {
    return Stream.of(
            StreamRecords.inserted(1, row),
            StreamRecords.modified(1, row, row),
            StreamRecords.removed(1, row),
            StreamRecords.expired(1, row))
        .toList();
  }
}
