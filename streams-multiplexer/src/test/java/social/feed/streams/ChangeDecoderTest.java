package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.Identity;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import social.feed.streams.change.Change;
import social.feed.streams.change.ChangeDecoder;
import social.feed.table.kernel.schema.MalformedItemException;
import social.feed.table.row.FollowQuota;

class ChangeDecoderTest {

  @Test
  void decode_everyKind_yieldsTheRowThatWasWritten() {
    for (var row : SampleRowLists.all().values()) {
      assertThat(ChangeDecoder.decode(StreamRecords.inserted(1, row)))
          .isEqualTo(new Change.Inserted(row));
      assertThat(ChangeDecoder.decode(StreamRecords.removed(1, row)))
          .isEqualTo(new Change.Removed(row));
      assertThat(ChangeDecoder.decode(StreamRecords.expired(1, row)))
          .isEqualTo(new Change.Expired(row));
    }
  }

  @Test
  void decode_modify_yieldsBothImages() {
    var before = new FollowQuota("bob", 1, 1);
    var after = new FollowQuota("bob", 2, 2);
    assertThat(ChangeDecoder.decode(StreamRecords.modified(1, before, after)))
        .isEqualTo(new Change.Modified(before, after));
  }

  @Test
  void decode_removalByAnotherPrincipal_isNoExpiry() {
    var record = StreamRecords.removed(1, SampleRowLists.like("bob"));
    record.setUserIdentity(new Identity().withType("Service").withPrincipalId("other.aws"));
    assertThat(ChangeDecoder.decode(record)).isInstanceOf(Change.Removed.class);
  }

  @Test
  void decode_withoutTheImageOfItsEvent_isRefused() {
    var image = StreamRecords.image(SampleRowLists.like("bob"));
    assertThatThrownBy(() -> ChangeDecoder.decode(StreamRecords.of(1, "INSERT", image, null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ChangeDecoder.decode(StreamRecords.of(1, "MODIFY", null, image)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ChangeDecoder.decode(StreamRecords.of(1, "MODIFY", image, null)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ChangeDecoder.decode(StreamRecords.of(1, "REMOVE", null, image)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void decode_unknownEvent_isRefusedByName() {
    var image = StreamRecords.image(SampleRowLists.like("bob"));
    assertThatThrownBy(() -> ChangeDecoder.decode(StreamRecords.of(1, "EXPIRE", image, null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("EXPIRE");
  }

  @Test
  void decode_unknownEntity_isRefusedByItsKey() {
    var image =
        Map.of(
            "PK", new AttributeValue("POST#1"),
            "SK", new AttributeValue("TEAPOT"),
            "entity", new AttributeValue("TEAPOT"));
    assertThatThrownBy(() -> ChangeDecoder.decode(StreamRecords.of(1, "INSERT", null, image)))
        .isInstanceOf(MalformedItemException.class)
        .hasMessageContaining("POST#1 / TEAPOT");
  }

  @Test
  void decode_missingAttribute_isRefusedByName() {
    var image = new HashMap<>(StreamRecords.image(SampleRowLists.like("bob")));
    image.remove("created_at");
    assertThatThrownBy(() -> ChangeDecoder.decode(StreamRecords.of(1, "INSERT", null, image)))
        .isInstanceOf(MalformedItemException.class)
        .hasMessageContaining("created_at");
  }
}
