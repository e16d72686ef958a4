package social.feed.benchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes attributes of items as JSON, under their stored names. */
final class BareJson {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int SIZE = 512;

  private BareJson() {}

  @FunctionalInterface
  interface Body {
    void write(JsonGenerator json) throws IOException;
  }

  static byte[] object(Body fields) {
    var bytes = new ByteArrayOutputStream(SIZE);
    try (var json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Writes those of some attributes that an item has. */
  static void fields(JsonGenerator json, Map<String, AttributeValue> item, List<String> names)
      throws IOException {
    for (var name : names) {
      var value = item.get(name);
      if (value == null) {
        continue;
      }
      if (value.s() != null) {
        json.writeStringField(name, value.s());
      } else if (value.n() != null) {
        json.writeFieldName(name);
        json.writeNumber(value.n());
      } else if (value.bool() != null) {
        json.writeBooleanField(name, value.bool());
      }
    }
  }
}
