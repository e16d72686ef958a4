package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.streams.change.Change;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.Suspect;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.testkit.SamplePosts;

class LanePatternsTest {
  /** Lambda's quotas: patterns of a mapping, characters of a pattern. */
  private static final int PATTERNS_MAX = 5;

  private static final int LENGTH_MAX = 4_096;

  private final Plan plan = new Plan(Duration.ofDays(90));

  @ParameterizedTest
  @EnumSource(Lane.class)
  void patterns_passAllRecordsThatTheFilterAccepts(Lane lane) {
    for (var record : records()) {
      if (LaneFilter.accepts(lane, record)) {
        assertThat(passes(lane, record)).as(said(record)).isTrue();
      }
    }
  }

  /** Other records that pass have an unchanged time, and no effects. */
  @ParameterizedTest
  @EnumSource(Lane.class)
  void patterns_passFewOtherRecords(Lane lane) {
    var beyond = new ArrayList<Class<?>>();
    for (var record : records()) {
      if (passes(lane, record) && !LaneFilter.accepts(lane, record)) {
        var change = ChangeDecoder.decode(record);
        assertThat(lane == Lane.COUNTS ? plan.counts(change) : plan.effects(change))
            .as(said(record))
            .isEmpty();
        assertThat(change).isInstanceOf(Change.Modified.class);
        beyond.add(((Change.Modified) change).after().getClass());
      }
    }
    assertThat(beyond)
        .containsOnlyElementsOf(
            lane == Lane.COUNTS ? Set.of() : Set.of(FeedActivity.class, Follow.class));
  }

  @ParameterizedTest
  @EnumSource(Lane.class)
  void patternsWithEvents_passAllRecordsThatTheFilterAccepts(Lane lane) {
    for (var record : records()) {
      if (LaneFilter.acceptsWithEvents(lane, record)) {
        assertThat(passesWithEvents(lane, record)).as(said(record)).isTrue();
      }
    }
  }

  /**
   * Beyond what passes without events, any change of an account or a suspicion does, and no other
   * has no event.
   */
  @ParameterizedTest
  @EnumSource(Lane.class)
  void patternsWithEvents_passFewOtherRecords(Lane lane) {
    for (var record : records()) {
      if (passesWithEvents(lane, record)
          && !LaneFilter.acceptsWithEvents(lane, record)
          && !passes(lane, record)) {
        var change = ChangeDecoder.decode(record);
        assertThat(change).as(said(record)).isInstanceOf(Change.Modified.class);
        assertThat(((Change.Modified) change).after()).isInstanceOfAny(User.class, Suspect.class);
        assertThat(lane).isEqualTo(Lane.EFFECTS);
      }
    }
  }

  @Test
  void patternsWithEvents_areThoseOfTheCountsWithoutEvents() {
    assertThat(LanePatterns.withEvents(Lane.COUNTS)).isEqualTo(LanePatterns.of(Lane.COUNTS));
    assertThat(LanePatterns.withEvents(Lane.EFFECTS)).isNotEqualTo(LanePatterns.of(Lane.EFFECTS));
  }

  @ParameterizedTest
  @EnumSource(Lane.class)
  void patterns_ofAModifiedPost_dependOnItsVisibilityOnly(Lane lane) {
    for (var before : Visibility.values()) {
      for (var after : Visibility.values()) {
        var record =
            StreamRecords.modified(
                1, SampleRowLists.post(before), liked(SampleRowLists.post(after)));
        assertThat(passes(lane, record)).as(said(record)).isEqualTo(before != after);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Lane.class)
  void patterns_passUnreadableRecords(Lane lane) {
    var teapot = Map.of("entity", new AttributeValue("TEAPOT"));
    var nameless = Map.of("PK", new AttributeValue("A"));
    for (var image : List.of(teapot, nameless)) {
      assertThat(passes(lane, StreamRecords.of(1, "INSERT", null, image))).isTrue();
      assertThat(passes(lane, StreamRecords.of(1, "MODIFY", image, image))).isTrue();
      assertThat(passes(lane, StreamRecords.of(1, "REMOVE", image, null))).isTrue();
    }
  }

  @Test
  void patterns_passRowsThatLostTheirAttribute() {
    var post = StreamRecords.image(SampleRowLists.post(Visibility.PUBLIC));
    var user = StreamRecords.image(User.registered("ann", "Ann", "Ann", null, SampleRowLists.AT));

    assertThat(passes(Lane.COUNTS, without(post, Post.VISIBILITY))).isTrue();
    assertThat(passes(Lane.EFFECTS, without(post, Post.VISIBILITY))).isTrue();
    assertThat(passes(Lane.EFFECTS, without(user, User.IS_CELEBRITY))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Lane.class)
  void patterns_areWithinLambdasQuotas(Lane lane) {
    for (var patterns : List.of(patterns(lane), withEvents(lane))) {
      assertThat(patterns)
          .hasSizeLessThanOrEqualTo(PATTERNS_MAX)
          .allSatisfy(pattern -> assertThat(pattern.text()).hasSizeLessThanOrEqualTo(LENGTH_MAX));
    }
  }

  /** All events of all kinds, changes of every attribute, and rows with an unchanged time. */
  private static List<DynamodbStreamRecord> records() {
    var records = new ArrayList<>(SampleRowLists.records());
    var at = SampleRowLists.AT;
    var retried = new Follow("bob", "ann", at, at, at, false, null);
    var awoken = FeedActivity.at("bob", at).awoken(at);
    records.add(StreamRecords.modified(1, retried, retried));
    records.add(StreamRecords.modified(1, awoken, awoken));
    return records;
  }

  private static Post liked(Post post) {
    return SamplePosts.like(post)
        .likes(post.likesCount() + 1)
        .marks(Map.of("shardId-1", "100"))
        .build();
  }

  private static DynamodbStreamRecord without(Map<String, AttributeValue> image, String flag) {
    var after = new HashMap<>(image);
    after.remove(flag);
    return StreamRecords.of(1, "MODIFY", image, after);
  }

  private static boolean passes(Lane lane, DynamodbStreamRecord record) {
    return patterns(lane).stream().anyMatch(pattern -> pattern.matches(record));
  }

  private static boolean passesWithEvents(Lane lane, DynamodbStreamRecord record) {
    return withEvents(lane).stream().anyMatch(pattern -> pattern.matches(record));
  }

  private static List<EventPattern> withEvents(Lane lane) {
    return LanePatterns.withEvents(lane).stream().map(EventPattern::new).toList();
  }

  private static List<EventPattern> patterns(Lane lane) {
    return LanePatterns.of(lane).stream().map(EventPattern::new).toList();
  }

  private static String said(DynamodbStreamRecord record) {
    return record.getEventName() + " " + record.getDynamodb();
  }
}
