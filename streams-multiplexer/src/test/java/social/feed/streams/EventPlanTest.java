package social.feed.streams;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.event.DomainEvent;
import social.feed.event.EventJson;
import social.feed.event.EventType;
import social.feed.streams.change.Change;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.PublishHandler.Publish;
import social.feed.streams.event.EventPlan;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.Suspect;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;

class EventPlanTest {
  private static final Instant SECOND = Instant.parse("2026-03-01T12:00:00Z");
  private final Plan plan = new Plan(Duration.ofDays(90));

  /** But for that of tests, which no change causes. */
  @Test
  void samples_haveEventsOfEveryType() {
    assertThat(SampleRowLists.records().stream().flatMap(record -> events(record).stream()))
        .extracting(DomainEvent::type)
        .contains(
            EnumSet.complementOf(EnumSet.of(EventType.WEBHOOK_TEST)).toArray(EventType[]::new))
        .doesNotContain(EventType.WEBHOOK_TEST);
  }

  /**
   * Others that pass are of posts that are not public, hidden notifications, of a score that fell,
   * or expire.
   */
  @Test
  void filter_acceptsAllRecordsWithEvents_andFewOthers() {
    for (var record : SampleRowLists.records()) {
      if (!events(record).isEmpty()) {
        assertThat(EventPlan.concerns(record)).as(record.toString()).isTrue();
        assertThat(LaneFilter.acceptsWithEvents(Lane.EFFECTS, record)).isTrue();
      } else if (EventPlan.concerns(record)) {
        var change = ChangeDecoder.decode(record);
        assertThat(change instanceof Change.Expired || isOfAPost(change) || isOfASuspect(change))
            .as("%s", change)
            .isTrue();
      }
      assertThat(LaneFilter.acceptsWithEvents(Lane.COUNTS, record))
          .isEqualTo(LaneFilter.accepts(Lane.COUNTS, record));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {User.HANDLE, User.DISPLAY_NAME, User.BIO, User.AVATAR, User.BANNER})
  void filter_acceptsTheChangeOfOneAttributeOfAProfile(String attribute) {
    var user = requireNonNull(SampleRowLists.all().get("user"));
    var record = StreamRecords.modified(1, user, user);
    var changed = new HashMap<>(record.getDynamodb().getNewImage());
    changed.put(
        attribute,
        attribute.equals(User.AVATAR) || attribute.equals(User.BANNER) ? image() : text("Other"));
    record.getDynamodb().setNewImage(changed);

    assertThat(only(record).type()).isEqualTo(EventType.ACCOUNT_CHANGED);
    assertThat(EventPlan.concerns(record)).isTrue();
  }

  private static AttributeValue image() {
    var number = new AttributeValue().withN("9");
    return new AttributeValue()
        .withM(
            Map.of(
                "media_id", text("m"),
                "content_type", text("image/png"),
                "bytes", number,
                "width", number,
                "height", number));
  }

  private static AttributeValue text(String text) {
    return new AttributeValue().withS(text);
  }

  private static boolean isOfASuspect(Change change) {
    return change instanceof Change.Modified(Suspect _, Suspect _);
  }

  private static boolean isOfAPost(Change change) {
    return switch (change) {
      case Change.Inserted(var row) -> row instanceof Post;
      case Change.Modified(_, var row) -> row instanceof Post;
      case Change.Removed(var row) -> row instanceof Post;
      case Change.Expired _ -> false;
    };
  }

  @Test
  void plan_withoutEvents_hasNone() {
    for (var record : SampleRowLists.records()) {
      var change = ChangeDecoder.decode(record);
      assertThat(plan.effects(change, record)).isEqualTo(plan.effects(change));
    }
  }

  @Test
  void plan_withEvents_hasThemBehindAllOtherEffects() {
    for (var record : SampleRowLists.records()) {
      var change = ChangeDecoder.decode(record);
      var expected = new ArrayList<Effect>(plan.effects(change));
      EventPlan.events(change, record).forEach(event -> expected.add(new Publish(event)));
      assertThat(plan.withEvents().effects(change, record)).isEqualTo(expected);
    }
  }

  @Test
  void postThatIsNotPublic_hasNoEvents() {
    for (var visibility : List.of(Visibility.FOLLOWERS, Visibility.PRIVATE)) {
      var post = SampleRowLists.post(visibility);
      assertThat(events(StreamRecords.inserted(1, post))).isEmpty();
      assertThat(events(StreamRecords.removed(1, post))).isEmpty();
    }
    var change =
        StreamRecords.modified(
            1, SampleRowLists.post(Visibility.FOLLOWERS), SampleRowLists.post(Visibility.PRIVATE));
    assertThat(events(change)).isEmpty();
  }

  /** Text comes from the row when the event is published, if it may. */
  @Test
  void messages_holdNoText() {
    var text = SampleRowLists.post(Visibility.PUBLIC).text();
    var bodies =
        SampleRowLists.records().stream()
            .flatMap(record -> events(record).stream().map(EventJson::write));
    assertThat(text).isNotBlank();
    assertThat(bodies)
        .isNotEmpty()
        .allSatisfy(body -> assertThat(body).doesNotContain("\"text\"", "\"display_name\"", text));
  }

  @Test
  void notificationOfASpeciallyFollowedAuthor_hasNoEvent() {
    var special = SampleRowLists.notificationOf(NotificationType.POST);
    assertThat(events(StreamRecords.inserted(1, special))).isEmpty();
  }

  @Test
  void event_isTheSameForEachDelivery_andAnotherForEachChange() {
    var like = SampleRowLists.like("bob");
    var created = only(at(StreamRecords.inserted(7, like), SECOND));
    var again = only(at(StreamRecords.inserted(7, like), SECOND));
    var deleted = only(at(StreamRecords.removed(8, like), SECOND));
    var anotherTime = only(at(StreamRecords.inserted(9, like), SECOND.plusSeconds(1)));

    assertThat(again).isEqualTo(created);
    assertThat(again.id()).isEqualTo(created.id()).startsWith("evt_").hasSize(36);
    assertThat(List.of(created.id(), deleted.id(), anotherTime.id())).doesNotHaveDuplicates();
    assertThat(List.of(anotherTime, deleted, created).stream().sorted(DomainEvent.BY_VERSION))
        .containsExactly(created, deleted, anotherTime);
    assertThat(created.entity()).isEqualTo(deleted.entity()).isEqualTo(anotherTime.entity());
  }

  /** Numbers of different shards do not compare, so the second decides first. */
  @Test
  void version_ofALaterSecond_isHigherThoughItsNumberIsLower() {
    var like = SampleRowLists.like("bob");
    var created = only(at(StreamRecords.inserted(9, like), SECOND));
    var deleted = only(at(StreamRecords.removed(1, like), SECOND.plusSeconds(1)));

    assertThat(deleted.version()).isGreaterThan(created.version());
    assertThat(deleted.version()).hasSameSizeAs(created.version());
  }

  /** The clock of a stream is approximate, also within a shard. */
  @Test
  void deletion_whenTheClockStepsBack_isStillTheLast() {
    for (var row :
        List.of(
            SampleRowLists.post(Visibility.PUBLIC),
            SampleRowLists.comment("bob"),
            requireNonNull(SampleRowLists.all().get("user")))) {
      var created = only(at(StreamRecords.inserted(7, row), SECOND));
      for (long back : List.of(1, 600)) {
        var deleted = only(at(StreamRecords.removed(8, row), SECOND.minusSeconds(back)));

        assertThat(deleted.version())
            .isGreaterThan(created.version())
            .hasSameSizeAs(created.version());
        assertThat(deleted.at()).isEqualTo(SECOND.minusSeconds(back));
      }
    }
  }

  @Test
  void json_ofAnEvent_isReadAsTheSameEvent() {
    for (var record : SampleRowLists.records()) {
      for (var event : events(record)) {
        assertThat(EventJson.read(EventJson.write(event))).isEqualTo(event);
      }
    }
  }

  @Test
  void event_withUndeclaredData_isRefused() {
    var created = only(at(StreamRecords.inserted(7, SampleRowLists.like("bob")), SECOND));
    assertThatIllegalArgumentException().isThrownBy(() -> created.with(Map.of("text", "secret")));
    assertThatIllegalArgumentException().isThrownBy(() -> created.with(Map.of("user_id", true)));
  }

  private static DynamodbStreamRecord at(DynamodbStreamRecord record, Instant time) {
    record.getDynamodb().setApproximateCreationDateTime(Date.from(time));
    return record;
  }

  private static DomainEvent only(DynamodbStreamRecord record) {
    var events = events(record);
    assertThat(events).hasSize(1);
    return events.getFirst();
  }

  private static List<DomainEvent> events(DynamodbStreamRecord record) {
    return EventPlan.events(ChangeDecoder.decode(record), record);
  }
}
