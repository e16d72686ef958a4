package social.feed.local.index;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.UncheckedIOException;
import java.util.List;
import social.feed.search.IndexState;

/** The messages between a command and the process that has the index open. */
final class IndexWire {
  /** Only the components of records are written. */
  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(MapperFeature.AUTO_DETECT_IS_GETTERS).build();

  private IndexWire() {}

  /** Ids of entries. */
  record Ids(List<String> items) {}

  /** What an index has. */
  record States(List<IndexState> items) {}

  static String write(Object message) {
    try {
      return JSON.writeValueAsString(message);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a message.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static <T> T read(String text, Class<T> type) {
    try {
      return JSON.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("It is no message: " + e.getOriginalMessage(), e);
    }
  }
}
