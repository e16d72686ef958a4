package social.feed.ctl;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.RowKind;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items that commit ec85ede of the platform stored for a few accounts, as if it had done so two
 * days ago. They were written within seconds of one hour, and all their times are later by the same
 * number of whole days. So they expire as long after they were written as they did then.
 *
 * <p>The ids of posts and comments stay, because ids of notifications have a digest of them. The
 * time in the id of a notification is that of its row, so it changes too.
 */
final class EarlierTable {
  private static final String FILE = "/previous-release.jsonl";
  private static final LocalDate WRITTEN = LocalDate.of(2026, 11, 22);
  private static final int DAYS_AGO = 2;

  /** How many characters of an id are its time. */
  private static final int TIME = 10;

  private final LocalDate day;
  private final Duration later;

  private EarlierTable(LocalDate day) {
    this.day = day;
    this.later = Duration.ofDays(ChronoUnit.DAYS.between(WRITTEN, day));
  }

  /** Returns the items, expired ones too. */
  static List<Map<String, AttributeValue>> items() {
    var today = LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC);
    var table = new EarlierTable(today.minusDays(DAYS_AGO));
    try (var in = EarlierTable.class.getResourceAsStream(FILE)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(table::item)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RowKind kind(Map<String, AttributeValue> item) {
    return RowKind.named(string(item, RowKind.ATTRIBUTE)).orElseThrow();
  }

  /** Reads an item in DynamoDB's JSON, with later times. */
  private Map<String, AttributeValue> item(String line) {
    var text =
        line.replace(WRITTEN.toString(), day.toString())
            .replace(YearMonth.from(WRITTEN).toString(), YearMonth.from(day).toString());
    var item = attributes(json(text));
    if (kind(item) == RowKind.NOTIFICATION) {
      var id = string(item, "notification_id");
      item = attributes(json(text.replace(id, later(id))));
    }
    item.computeIfPresent("expires_at", (_, at) -> later(at));
    return item;
  }

  private String later(String id) {
    var time = TimeOrderedId.timeOf(id).plus(later);
    return TimeOrderedId.first(time).substring(0, TIME) + id.substring(TIME);
  }

  private AttributeValue later(AttributeValue epochSecond) {
    var time = Instant.ofEpochSecond(Long.parseLong(epochSecond.n())).plus(later);
    return AttributeValue.fromN(Long.toString(time.getEpochSecond()));
  }

  private static String string(Map<String, AttributeValue> item, String attribute) {
    return Objects.requireNonNull(item.get(attribute)).s();
  }

  private static JsonNode json(String text) {
    try {
      return JsonMapper.createDefault().readValue(text, JsonNode.class);
    } catch (IOException e) {
      throw new UncheckedIOException(text, e);
    }
  }

  private static Map<String, AttributeValue> attributes(JsonNode object) {
    var attributes = new HashMap<String, AttributeValue>();
    object.entries().forEach(entry -> attributes.put(entry.getKey(), value(entry.getValue())));
    return attributes;
  }

  private static AttributeValue value(JsonNode typed) {
    var entry = typed.entries().iterator().next();
    var value = entry.getValue();
    return switch (entry.getKey()) {
      case "S" -> AttributeValue.fromS(value.getStringValue());
      case "N" -> AttributeValue.fromN(value.getStringValue());
      case "BOOL" -> AttributeValue.fromBool(value.getBooleanValue());
      case "M" -> AttributeValue.fromM(attributes(value));
      case "L" -> {
        var elements = new ArrayList<AttributeValue>();
        value.values().forEach(element -> elements.add(value(element)));
        yield AttributeValue.fromL(elements);
      }
      default -> throw new IllegalArgumentException("No such type: " + entry.getKey());
    };
  }
}
