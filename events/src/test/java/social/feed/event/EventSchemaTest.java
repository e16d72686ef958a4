package social.feed.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.testkit.GeneratedPage;

/**
 * The committed schemas. {@code -Dgoldens.update=true} writes those that only grew. One that would
 * break a consumer is refused: give the changed event a new type.
 */
class EventSchemaTest {
  private static final Path FOLDER = GeneratedPage.root().resolve("docs/events");
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @EnumSource(EventType.class)
  void committedSchema_isThatOfTheType(EventType type) throws IOException {
    var file = FOLDER.resolve(type.eventName() + ".json");
    var now = EventSchema.of(type);
    if (Files.exists(file)) {
      assertThat(EventSchema.breaks(JSON.readTree(file.toFile()), now)).isEmpty();
    }
    GeneratedPage.named("events/" + file.getFileName()).is(now.toPrettyString() + "\n");
  }

  @Test
  void committedSchemas_areThoseOfTheTypes() throws IOException {
    var types = Arrays.stream(EventType.values()).map(type -> type.eventName() + ".json").toList();
    try (var files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(types);
    }
  }

  @Test
  void schema_withOneMoreField_breaksNothing() {
    var grown = EventSchema.of(EventType.LIKE_CREATED);
    properties(grown).putObject("reaction").put("type", "string");
    assertThat(EventSchema.breaks(EventSchema.of(EventType.LIKE_CREATED), grown)).isEmpty();
  }

  @Test
  void schema_withoutAField_isABreak() {
    var cut = EventSchema.of(EventType.LIKE_CREATED);
    properties(cut).remove("user_id");
    assertThat(EventSchema.breaks(EventSchema.of(EventType.LIKE_CREATED), cut))
        .containsExactly("data.user_id is gone");
  }

  @Test
  void schema_withAnotherTypeOfAField_isABreak() {
    var changed = EventSchema.of(EventType.LIKE_CREATED);
    ((ObjectNode) properties(changed).get("user_id")).put("type", "integer");
    assertThat(EventSchema.breaks(EventSchema.of(EventType.LIKE_CREATED), changed))
        .containsExactly("data.user_id has another type");
  }

  @Test
  void schema_withAFieldThatMayBeAbsent_isABreak() {
    var loosened = EventSchema.of(EventType.LIKE_CREATED);
    ((ObjectNode) loosened.at("/properties/data")).putArray("required").add("post_id");
    assertThat(EventSchema.breaks(EventSchema.of(EventType.LIKE_CREATED), loosened))
        .contains("data.user_id is no longer in every event");
  }

  @Test
  void schema_ofAnotherType_isABreak() {
    assertThat(
            EventSchema.breaks(
                EventSchema.of(EventType.LIKE_CREATED), EventSchema.of(EventType.LIKE_DELETED)))
        .containsExactly("type has another type");
  }

  private static ObjectNode properties(ObjectNode schema) {
    return (ObjectNode) schema.at("/properties/data/properties");
  }
}
