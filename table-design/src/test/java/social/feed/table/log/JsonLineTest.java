package social.feed.table.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;

class JsonLineTest {

  /** Returns the value of a field after it was written and parsed. */
  private static String readBack(String name, String value) {
    var line = JsonLine.of(Map.of(name, value));
    assertThat(line.lines()).hasSize(1);
    var parsed = JsonNode.parser().parse(line.getBytes(StandardCharsets.UTF_8)).asObject();
    return Objects.requireNonNull(parsed.get(name)).asString();
  }

  @Test
  void line_hasTheFieldsInTheirOrder() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("text", "a");
    fields.put("whole", 2.0);
    fields.put("part", 0.25);
    fields.put("none", Double.NaN);
    fields.put("flag", true);
    fields.put("list", List.of(1, "b"));
    fields.put("map", Map.of("c", List.of()));
    fields.put("empty", Map.of());

    assertThat(JsonLine.of(fields))
        .isEqualTo(
            "{\"text\":\"a\",\"whole\":2,\"part\":0.25,\"none\":null,\"flag\":true,"
                + "\"list\":[1,\"b\"],\"map\":{\"c\":[]},\"empty\":{}}");
  }

  /** A parser reads each character back, also in a name, and sees one line. */
  @Test
  void text_ofAnyCharacter_isReadBack() {
    for (int from = 0; from <= Character.MAX_VALUE; from += 256) {
      var text = new StringBuilder("x");
      for (int c = from; c < from + 256; c++) {
        if (!Character.isSurrogate((char) c)) {
          text.append((char) c);
        }
      }

      assertThat(readBack("a" + text, text.toString()))
          .as("from " + from)
          .isEqualTo(text.toString());
    }
  }

  /** A single surrogate would become another character in UTF-8. */
  @Test
  void surrogates_areKeptInPairs_andEscapedAlone() {
    assertThat(readBack("a", "\uD83D\uDE00")).isEqualTo("\uD83D\uDE00");
    assertThat(JsonLine.of(Map.of("a", "\uD83Dx"))).isEqualTo("{\"a\":\"\\ud83dx\"}");
    assertThat(JsonLine.of(Map.of("a", "\uDE00\uD83D"))).isEqualTo("{\"a\":\"\\ude00\\ud83d\"}");
  }

  @Test
  void members_areReplaced_inTexts() {
    assertThat(JsonLine.of(Map.of("message", "at USER#alice / META")))
        .isEqualTo("{\"message\":\"at USER#%s / META\"}".formatted(Pseudonyms.ofMember("alice")));
  }
}
